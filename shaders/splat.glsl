// Shadow of one marble on a horizontal plane, multiplied into the plane's light map.
// -- vertex
in vec2 in_corner;
in vec4 in_sphere;
in float in_alpha;
#ifdef HDR
in vec4 in_tint;  // linear colour, transparency
flat out vec4 v_tint;
#endif
uniform vec3 u_window_direction;
uniform vec4 u_light_map_area;  // centre and half size of the light map
uniform float u_plane_z;        // height of the plane
out vec3 v_to_centre;
out vec2 v_map_position;
flat out float v_radius;
flat out float v_alpha;
void main() {
    float h = max(in_sphere.z - u_plane_z, 0.05), r = in_sphere.w;
    vec2 foot = in_sphere.xy, thrown = foot - u_window_direction.xy / u_window_direction.z * h;
    float around = r * 3.2, soft = r * 1.5 + 0.38 * h;
    vec2 low = min(foot - around, thrown - soft), high = max(foot + around, thrown + soft);
    vec2 at = mix(low, high, in_corner * 0.5 + 0.5);
    v_to_centre = in_sphere.xyz - vec3(at, u_plane_z);
    v_radius = r;
    v_alpha = in_alpha;
#ifdef HDR
    v_tint = in_tint;
#endif
    v_map_position = (at - u_light_map_area.xy) / u_light_map_area.zw;
    gl_Position = vec4(v_map_position, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec3 v_to_centre;
in vec2 v_map_position;
uniform float u_fade_at_border;  // 1 = fade out at the border of the light map
flat in float v_radius;
flat in float v_alpha;
#ifdef HDR
flat in vec4 v_tint;
#endif
out vec4 f_colour;
void main() {
    float counts = v_alpha * mix(1.0, shadow_weight(v_map_position), u_fade_at_border);
    float seen = window_visibility(v_to_centre, v_radius);
    float d2 = dot(v_to_centre, v_to_centre), r2 = v_radius * v_radius;
    // Fraction of the sky that the ball hides from a horizontal plane, fading out at the border of the splat.
    float hidden = max(v_to_centre.z, 0.0) * r2 * inversesqrt(d2) / d2;
    float flat2 = dot(v_to_centre.xy, v_to_centre.xy) / (r2 * 10.24);
    hidden *= max(1.0 - flat2, 0.0);
#ifdef HDR
    // A glass ball is a lens: it focuses the window half a radius behind itself, tinted with its own colour.
    float t = dot(v_to_centre, u_window_direction), off2 = max(d2 - t * t, 0.0);
    float spot = max(v_radius * abs(t / (1.5 * v_radius) - 1.0), 0.35 * v_radius) + 0.5 * WINDOW_HALF_ANGLE * max(t, 0.0);
    float bright = min(r2 / (spot * spot), 2.4) * exp(-off2 / (spot * spot)) * step(0.0, t);
    vec3 tint = v_tint.rgb / max(max(v_tint.r, v_tint.g), max(v_tint.b, 1e-4));
    vec3 window = vec3(seen) + (1.0 - seen) * v_tint.a * mix(v_tint.rgb, tint, 0.5) * (0.15 + 0.55 * bright);
    f_colour = vec4(1.0 - (1.0 - window) * counts, 1.0 - min(hidden * (1.0 - 0.4 * v_tint.a), 1.0) * counts);
#else
    f_colour = vec4(1.0 - (1.0 - seen) * counts, 1.0 - min(hidden, 1.0) * counts, 1.0, 1.0);
#endif
}

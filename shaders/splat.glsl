// Shadow of one marble on a horizontal plane, multiplied into the plane's light map.
// -- vertex
in vec2 in_corner;
in vec4 in_sphere;
in float in_alpha;
#ifdef HDR
in vec4 in_glass;        // linear colour, transparency
flat out vec4 v_glass;
#endif
uniform vec3 u_sun;
uniform vec4 u_domain;   // centre and half size of the light map
uniform float u_plane;   // height of the plane
out vec3 v_to;
out vec2 v_place;
flat out float v_radius;
flat out float v_alpha;
void main() {
    float h = max(in_sphere.z - u_plane, 0.05), r = in_sphere.w;
    vec2 foot = in_sphere.xy, thrown = foot - u_sun.xy / u_sun.z * h;
    float around = r * 3.2, soft = r * 1.5 + 0.38 * h;
    vec2 low = min(foot - around, thrown - soft), high = max(foot + around, thrown + soft);
    vec2 at = mix(low, high, in_corner * 0.5 + 0.5);
    v_to = in_sphere.xyz - vec3(at, u_plane);
    v_radius = r;
    v_alpha = in_alpha;
#ifdef HDR
    v_glass = in_glass;
#endif
    v_place = (at - u_domain.xy) / u_domain.zw;
    gl_Position = vec4(v_place, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec3 v_to;
in vec2 v_place;
uniform float u_border;  // 1 = fade out at the border of the light map
flat in float v_radius;
flat in float v_alpha;
#ifdef HDR
flat in vec4 v_glass;
#endif
out vec4 f_colour;
void main() {
    float counts = v_alpha * mix(1.0, inner(v_place), u_border);
    float seen = past(v_to, v_radius);
    float d2 = dot(v_to, v_to), r2 = v_radius * v_radius;
    // Fraction of the sky that the ball hides from a horizontal plane, fading out at the border of the splat.
    float hidden = max(v_to.z, 0.0) * r2 * inversesqrt(d2) / d2;
    float flat2 = dot(v_to.xy, v_to.xy) / (r2 * 10.24);
    hidden *= max(1.0 - flat2, 0.0);
#ifdef HDR
    // A glass ball is a lens: it focuses the window half a radius behind itself, tinted with its own colour.
    float t = dot(v_to, u_sun), off2 = max(d2 - t * t, 0.0);
    float spot = max(v_radius * abs(t / (1.5 * v_radius) - 1.0), 0.35 * v_radius) + 0.5 * SPREAD * max(t, 0.0);
    float bright = min(r2 / (spot * spot), 2.4) * exp(-off2 / (spot * spot)) * step(0.0, t);
    vec3 tint = v_glass.rgb / max(max(v_glass.r, v_glass.g), max(v_glass.b, 1e-4));
    vec3 window = vec3(seen) + (1.0 - seen) * v_glass.a * mix(v_glass.rgb, tint, 0.5) * (0.15 + 0.55 * bright);
    f_colour = vec4(1.0 - (1.0 - window) * counts, 1.0 - min(hidden * (1.0 - 0.4 * v_glass.a), 1.0) * counts);
#else
    f_colour = vec4(1.0 - (1.0 - seen) * counts, 1.0 - min(hidden, 1.0) * counts, 1.0, 1.0);
#endif
}

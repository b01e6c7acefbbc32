// The table. LIT: the part that can be in shadow. EDGE: the part where the floor beyond the edge is visible too.
// -- vertex
in vec2 in_position;
uniform mat4 u_view;
uniform float u_table_z;
out vec2 v_position;
void main() {
    v_position = in_position;
    gl_Position = u_view * vec4(v_position, u_table_z, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_position;
out vec4 f_colour;
uniform sampler2D u_cloth_texture;
uniform sampler2D u_light_map;  // red: visibility of the window; green: visibility of the sky
uniform vec2 u_light_map_area;  // half the extent of the light map
uniform vec2 u_half_size;       // half the size of the table
uniform vec3 u_window_light;    // light that it reflects: from the window and, in u_sky_light, from the sky
uniform vec3 u_sky_light;
uniform vec3 u_floor_colour;
void main() {
    vec3 grain = texture(u_cloth_texture, v_position * 0.21).rgb;
#ifdef LIT
    vec4 lit = texture(u_light_map, v_position / u_light_map_area * 0.5 + 0.5);
    float sky = sky_in(lit);
    vec3 c = grain * grain * (u_window_light * window_in(lit) * mix(0.6, 1.0, sky) + u_sky_light * sky);
#else
    vec3 c = grain * grain * (u_window_light + u_sky_light);
#endif
#ifdef EDGE
    // Rounded corners, a narrow worn edge, then the floor far below.
    vec2 q = abs(v_position) - u_half_size + 0.6;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.6;
    float w = fwidth(d);
    c *= 1.0 - 0.16 * smoothstep(-0.22 - w, -0.05, d);
    c = mix(c, u_floor_colour, smoothstep(-w, w, d));
#endif
    f_colour = vec4(output_colour(c * pool_light(v_position)), 1.0);
#if defined(EDGE) && !defined(HDR)
    // Dither: the floor has no texture to hide banding.
    f_colour.rgb += DITHER;
#endif
}

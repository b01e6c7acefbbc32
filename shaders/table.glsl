// The table. LIT: the part that can be in shadow. FADE: the part that is so far away that the cloth fades out.
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
uniform vec3 u_window_light;    // light that it reflects: from the window and, in u_sky_light, from the sky
uniform vec3 u_sky_light;
uniform vec2 u_fade_radii;      // distances from the centre at which the cloth begins to fade and at which it is gone
uniform vec3 u_background;
void main() {
    vec3 grain = texture(u_cloth_texture, v_position * 0.21).rgb;
#ifdef LIT
    vec4 lit = texture(u_light_map, v_position / u_light_map_area * 0.5 + 0.5);
    float sky = sky_in(lit);
    vec3 c = grain * grain * (u_window_light * window_in(lit) * mix(0.6, 1.0, sky) + u_sky_light * sky);
#else
    vec3 c = grain * grain * (u_window_light + u_sky_light);
#endif
    c *= pool_light(v_position);
#ifdef FADE
    c = mix(c, u_background, smoothstep(u_fade_radii.x, u_fade_radii.y, length(v_position)));
#endif
    f_colour = vec4(output_colour(c), 1.0);
#if defined(FADE) && !defined(HDR)
    // Dither: there is hardly any texture left to hide banding.
    f_colour.rgb += DITHER;
#endif
}

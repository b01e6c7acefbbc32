// The table. LIT: the part that can be in shadow. EDGE: the part where the floor beyond the edge is visible too.
// -- vertex
in vec2 in_at;
uniform mat4 u_view;
uniform float u_height;
out vec2 v_at;
void main() {
    v_at = in_at;
    gl_Position = u_view * vec4(v_at, u_height, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_at;
out vec4 f_colour;
uniform sampler2D u_grain;
uniform sampler2D u_light;   // red: visibility of the window; green: visibility of the sky
uniform vec2 u_domain;       // half the extent of the light map
uniform vec2 u_half;         // half the size of the table
uniform vec3 u_window;       // light that it reflects: from the window and, in u_above, from the sky
uniform vec3 u_above;
uniform vec3 u_beyond;
void main() {
    vec3 grain = texture(u_grain, v_at * 0.21).rgb;
#ifdef LIT
    vec4 lit = texture(u_light, v_at / u_domain * 0.5 + 0.5);
    float sky = sky_in(lit);
    vec3 c = grain * grain * (u_window * window_in(lit) * mix(0.6, 1.0, sky) + u_above * sky);
#else
    vec3 c = grain * grain * (u_window + u_above);
#endif
#ifdef EDGE
    // Rounded corners, a narrow worn edge, then the floor far below.
    vec2 q = abs(v_at) - u_half + 0.6;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.6;
    float w = fwidth(d);
    c *= 1.0 - 0.16 * smoothstep(-0.22 - w, -0.05, d);
    c = mix(c, u_beyond, smoothstep(-w, w, d));
#endif
    f_colour = vec4(display(c * pool(v_at)), 1.0);
#if defined(EDGE) && !defined(HDR)
    // Dither: the floor has no texture to hide banding.
    f_colour.rgb += DITHER;
#endif
}

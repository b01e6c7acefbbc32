// The table with what falls on it, and the floor beyond its edge.
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
uniform sampler2D u_light;   // red: window in sight, green: sky in sight
uniform vec2 u_domain;       // half the area that the light map covers
uniform vec2 u_half;         // half the table
uniform vec3 u_colour;
uniform vec3 u_beyond;
uniform vec2 u_size;         // of the picture, pixels
void main() {
    vec3 grain = texture(u_grain, v_at * 0.21).rgb;
    vec2 place = v_at / u_domain;
    vec4 lit = texture(u_light, place * 0.5 + 0.5);
    lit = mix(lit, vec4(1.0), smoothstep(0.86, 0.99, max(abs(place.x), abs(place.y))));
    vec3 c = u_colour * grain * grain * 2.25 * (u_key * window_in(lit) * (u_sun.z * mix(0.6, 1.0, sky_in(lit))) + ambient(vec3(0.0, 0.0, 1.0)) * sky_in(lit));
    // The edge: rounded corners, a narrow worn line, then the floor far below.
    vec2 q = abs(v_at) - u_half + 0.6;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.6;
    float w = fwidth(d);
    c *= 1.0 - 0.16 * smoothstep(-0.22 - w, -0.05, d);
    c = mix(c, u_beyond, smoothstep(-w, w, d));
    vec2 s = gl_FragCoord.xy / u_size - vec2(0.46, 0.54);
    c *= 1.0 - 0.42 * dot(s, s);
    f_colour = vec4(display(c), 1.0);
}

// Names engraved in the rim of a board: strokes of ink, with a lip of light on the side away from the window.
// -- vertex
in vec2 in_corner;
in vec4 in_place;        // position on the board, half the height, image number
uniform mat4 u_view;
uniform vec3 u_origin;
uniform vec2 u_right;    // direction of the text
out vec2 v_local;
out vec2 v_at;
flat out float v_cell;
void main() {
    v_local = in_corner;
    v_cell = in_place.w;
    v_at = in_place.xy + (u_right * in_corner.x + vec2(-u_right.y, u_right.x) * in_corner.y) * in_place.z;
    gl_Position = u_view * vec4(vec3(v_at, 0.0) + u_origin, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_local;
in vec2 v_at;
flat in float v_cell;
out vec4 f_colour;
uniform sampler2D u_atlas;
uniform sampler2D u_light;
uniform float u_half;
uniform vec3 u_window;   // light that the ink reflects: from the window and, in u_above, from the sky
uniform vec3 u_above;
const float CELLS = 20.0;
const float PEN = 1.55;   // half the stroke width in 24ths of an image

float away(vec2 p) {
    vec2 q = clamp(p * 0.5 + 0.5, 0.01, 0.99);
    return textureLod(u_atlas, vec2((v_cell + q.x) / CELLS, q.y), 0.0).r;
}

void main() {
    float grain = max(length(vec2(dFdx(v_local.x), dFdy(v_local.x))), length(vec2(dFdx(v_local.y), dFdy(v_local.y)))) * 12.0;
    float pen = max(PEN, 0.7 * grain), soft = 0.5 * grain;
    float ink = 1.0 - smoothstep(pen - soft, pen + soft, away(v_local));
    vec4 lit = texture(u_light, v_at / u_half * 0.5 + 0.5);
    float sky = sky_in(lit);
    WINDOW sun = window_in(lit) * mix(0.55, 1.0, sky);
    f_colour = vec4(display(u_window * sun + u_above * sky), ink);
}

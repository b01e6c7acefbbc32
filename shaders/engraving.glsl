// Names engraved in the rim of a board: strokes of ink, with a lip of light on the side away from the window.
// -- vertex
in vec2 in_corner;
in vec4 in_label;               // position on the board, half the height, image number
uniform mat4 u_view;
uniform vec3 u_origin;
uniform vec2 u_text_direction;  // direction of the text
out vec2 v_local;
out vec2 v_at;
flat out float v_cell;
void main() {
    v_local = in_corner;
    v_cell = in_label.w;
    v_at = in_label.xy + (u_text_direction * in_corner.x + vec2(-u_text_direction.y, u_text_direction.x) * in_corner.y) * in_label.z;
    gl_Position = u_view * vec4(vec3(v_at, 0.0) + u_origin, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_local;
in vec2 v_at;
flat in float v_cell;
out vec4 f_colour;
uniform sampler2D u_atlas;
uniform sampler2D u_board_light_map;
uniform float u_half_side;
uniform vec3 u_window_light;     // light that the ink reflects: from the window and, in u_sky_light, from the sky
uniform vec3 u_sky_light;
const float CELLS = 20.0;
const float HALF_STROKE = 1.55;  // half the stroke width in 24ths of an image

float stroke_distance(vec2 p) {
    vec2 q = clamp(p * 0.5 + 0.5, 0.01, 0.99);
    return textureLod(u_atlas, vec2((v_cell + q.x) / CELLS, q.y), 0.0).r;
}

void main() {
    float grain = max(length(vec2(dFdx(v_local.x), dFdy(v_local.x))), length(vec2(dFdx(v_local.y), dFdy(v_local.y)))) * 12.0;
    float pen = max(HALF_STROKE, 0.85 * grain), soft = 0.5 * grain;
    float ink = 1.0 - smoothstep(pen - soft, pen + soft, stroke_distance(v_local));
    vec4 lit = texture(u_board_light_map, v_at / u_half_side * 0.5 + 0.5);
    float sky = sky_in(lit);
    WINDOW_TYPE sun = window_in(lit) * mix(0.55, 1.0, sky);
    f_colour = vec4(output_colour(u_window_light * sun + u_sky_light * sky), ink);
}

// Shadows of the boards in the table's light map, drawn once per layout.
// -- vertex
in vec2 in_corner;
uniform vec4 u_light_map_area;
out vec2 v_position;
void main() {
    v_position = u_light_map_area.xy + in_corner * u_light_map_area.zw;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_position;
uniform vec4 u_light_map_area;
out vec4 f_colour;
uniform vec3 u_board;  // centre of a board, half its side length
uniform float u_thickness;
void main() {
    vec2 p = v_position - u_board.xy;
    vec3 side = normalize(vec3(-u_window_direction.y, u_window_direction.x, 0.0)), up = cross(u_window_direction, side);
    // The slab has rounded corners and stands on a chamfered base.
    float half_ = u_board.z - 0.10;
    float seen = 0.0;
    for (int i = 0; i < 64; i++) {
        // Sample directions over the window in a sunflower pattern.
        float a = float(i) * 2.39996, s = sqrt((float(i) + 0.5) / 64.0) * WINDOW_HALF_ANGLE;
        vec3 l = u_window_direction + (side * cos(a) + up * sin(a)) * s;
        vec2 slope = l.xy / l.z;
        vec2 t0 = (-half_ - p) / slope, t1 = (half_ - p) / slope;
        vec2 first = min(t0, t1), last = max(t0, t1);
        float enter = max(max(first.x, first.y), 0.0), leave = min(min(last.x, last.y), u_thickness);
        seen += enter < leave ? 0.0 : 1.0;
    }
    vec2 q = abs(p) - half_ + 0.3;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - 0.3;
    float counts = shadow_weight((v_position - u_light_map_area.xy) / u_light_map_area.zw);
    float sky = 1.0 - 0.80 * exp(-max(d, 0.0) * 2.6) * counts;
    seen = 1.0 - (1.0 - seen / 64.0) * counts;
#ifdef HDR
    f_colour = vec4(vec3(seen), sky);
#else
    f_colour = vec4(seen, sky, 1.0, 1.0);
#endif
}

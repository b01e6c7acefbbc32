// Shadows of objects on a horizontal plane, drawn into its light map. Each object is an upright block with rounded
// corners.
// -- vertex
in vec2 in_corner;
in vec4 in_block;               // centre of the block; direction of its first side
in vec4 in_half_size;           // half the side lengths, corner radius, how much narrower the top is
in vec3 in_heights;             // height of bottom and top above the table; opacity
uniform vec3 u_window_direction;
uniform vec4 u_light_map_area;  // centre and half size of the light map
uniform float u_plane_z;        // height of the plane above the table
out vec2 v_position;
out vec2 v_map_position;
flat out vec4 v_block;
flat out vec4 v_half_size;
flat out vec3 v_heights;
void main() {
    v_heights = vec3(max(in_heights.xy - u_plane_z, 0.0), in_heights.z);
    vec2 foot = in_block.xy, thrown = foot - u_window_direction.xy / u_window_direction.z * v_heights.y;
    float around = length(in_half_size.xy) + 1.4, soft = length(in_half_size.xy) + 0.3 * v_heights.y;
    v_position = mix(min(foot - around, thrown - soft), max(foot + around, thrown + soft), in_corner * 0.5 + 0.5);
    v_block = in_block;
    v_half_size = in_half_size;
    v_map_position = (v_position - u_light_map_area.xy) / u_light_map_area.zw;
    gl_Position = vec4(v_map_position, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_position;
in vec2 v_map_position;
uniform float u_fade_at_border;  // 1 = fade out at the border of the light map
flat in vec4 v_block;
flat in vec4 v_half_size;
flat in vec3 v_heights;
out vec4 f_colour;
float block_distance(vec2 p, float less) {
    p -= v_block.xy;
    p = vec2(dot(p, v_block.zw), dot(p, vec2(-v_block.w, v_block.z)));
    vec2 q = abs(p) - v_half_size.xy + less + v_half_size.z;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_half_size.z;
}
void main() {
    float seen = 1.0;
    for (int i = 0; i < 10; i++) {
        float part = (float(i) + 0.5) / 10.0, t = mix(v_heights.x, v_heights.y, part);
        float soft = 0.07 + WINDOW_HALF_ANGLE * t / u_window_direction.z;
        seen = min(seen, smoothstep(-soft, soft, block_distance(v_position + u_window_direction.xy / u_window_direction.z * t, v_half_size.w * part)));
    }
    // The taller the block, the farther its occlusion of the sky reaches.
    float tall = v_heights.y - v_heights.x, d = max(block_distance(v_position, 0.0), 0.0);
    float hidden = 0.72 * exp(-d * max(1.4 / max(tall, 0.05), 2.4) - 3.0 * v_heights.x) * smoothstep(1.4, 0.9, d);
    vec2 left = 1.0 - vec2(1.0 - seen, hidden) * (v_heights.z * mix(1.0, shadow_weight(v_map_position), u_fade_at_border));
#ifdef HDR
    f_colour = vec4(vec3(left.x), left.y);
#else
    f_colour = vec4(left, 1.0, 1.0);
#endif
}

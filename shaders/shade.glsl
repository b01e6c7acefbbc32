// Shadows of objects on a horizontal plane, drawn into its light map. Each object is an upright block with rounded
// corners.
// -- vertex
in vec2 in_corner;
in vec4 in_middle;   // centre of the block; direction of its first side
in vec4 in_extent;   // half the side lengths, corner radius, how much narrower the top is
in vec3 in_height;   // height of bottom and top above the table; opacity
uniform vec3 u_sun;
uniform vec4 u_domain;   // centre and half size of the light map
uniform float u_plane;   // height of the plane above the table
out vec2 v_at;
out vec2 v_place;
flat out vec4 v_middle;
flat out vec4 v_extent;
flat out vec3 v_height;
void main() {
    v_height = vec3(max(in_height.xy - u_plane, 0.0), in_height.z);
    vec2 foot = in_middle.xy, thrown = foot - u_sun.xy / u_sun.z * v_height.y;
    float around = length(in_extent.xy) + 1.4, soft = length(in_extent.xy) + 0.3 * v_height.y;
    v_at = mix(min(foot - around, thrown - soft), max(foot + around, thrown + soft), in_corner * 0.5 + 0.5);
    v_middle = in_middle;
    v_extent = in_extent;
    v_place = (v_at - u_domain.xy) / u_domain.zw;
    gl_Position = vec4(v_place, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_at;
in vec2 v_place;
uniform float u_border;  // 1 = fade out at the border of the light map
flat in vec4 v_middle;
flat in vec4 v_extent;
flat in vec3 v_height;
out vec4 f_colour;
float outside(vec2 p, float less) {
    p -= v_middle.xy;
    p = vec2(dot(p, v_middle.zw), dot(p, vec2(-v_middle.w, v_middle.z)));
    vec2 q = abs(p) - v_extent.xy + less + v_extent.z;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_extent.z;
}
void main() {
    float seen = 1.0;
    for (int i = 0; i < 10; i++) {
        float part = (float(i) + 0.5) / 10.0, t = mix(v_height.x, v_height.y, part);
        float soft = 0.07 + SPREAD * t / u_sun.z;
        seen = min(seen, smoothstep(-soft, soft, outside(v_at + u_sun.xy / u_sun.z * t, v_extent.w * part)));
    }
    // The taller the block, the farther its occlusion of the sky reaches.
    float tall = v_height.y - v_height.x, d = max(outside(v_at, 0.0), 0.0);
    float hidden = 0.72 * exp(-d * max(1.4 / max(tall, 0.05), 2.4) - 3.0 * v_height.x) * smoothstep(1.4, 0.9, d);
    vec2 left = 1.0 - vec2(1.0 - seen, hidden) * (v_height.z * mix(1.0, inner(v_place), u_border));
#ifdef HDR
    f_colour = vec4(vec3(left.x), left.y);
#else
    f_colour = vec4(left, 1.0, 1.0);
#endif
}

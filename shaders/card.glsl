// Flat things, and images on other things: rounded rectangles with inked strokes.
// -- vertex
#include "light.glsl"
in vec2 in_corner;
in vec3 in_position;
in vec3 in_right;        // vectors from the centre to the right edge and to the top edge
in vec3 in_up;
in vec4 in_fill;         // linear colour of the paper; alpha 0 = none
in vec3 in_ink;
in vec4 in_outline;      // colour of the border; alpha 0 = none
in vec4 in_shape;        // half the width and height, corner radius, fraction that the image fills
in vec4 in_atlas_cells;  // atlas cells of the main image and of the corner image; -1 = none
in vec2 in_stroke;       // stroke width in 24ths of an image; opacity
uniform mat4 u_view;
out vec2 v_local;
flat out vec4 v_fill;
flat out vec3 v_ink;
flat out vec4 v_outline;
flat out vec4 v_shape;
flat out vec4 v_atlas_cells;
flat out vec2 v_stroke;
flat out vec3 v_light;
void main() {
    vec2 corner = in_corner * (1.0 + 0.02);
    vec3 at = in_position + in_right * corner.x + in_up * corner.y;
    v_local = corner * in_shape.xy;
    v_fill = in_fill;
    v_ink = in_ink;
    v_outline = in_outline;
    v_shape = in_shape;
    v_atlas_cells = in_atlas_cells;
    v_stroke = in_stroke;
    vec3 n = normalize(cross(in_right, in_up));
    if (dot(n, u_eye - in_position) < 0.0) n = -n;
    v_light = (u_key * clamp(dot(n, u_window_direction), 0.0, 1.0) + ambient(n)) * pool_light(in_position.xy);
    // Print must stay readable in the evening and far from the lamp.
    v_light *= max(1.0, 0.62 / max(max(v_light.r, v_light.g), v_light.b));
    gl_Position = u_view * vec4(at, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_local;
flat in vec4 v_fill;
flat in vec3 v_ink;
flat in vec4 v_outline;
flat in vec4 v_shape;
flat in vec4 v_atlas_cells;
flat in vec2 v_stroke;
flat in vec3 v_light;
out vec4 f_colour;
uniform sampler2D u_atlas;
uniform vec2 u_atlas_size;  // number of columns and rows in the atlas

// Ink coverage of an image at p, relative to its centre, in units of half its size.
float inked(vec2 cell, vec2 p, float pen) {
    vec2 q = p * 0.5 + 0.5;
    float grain = max(length(vec2(dFdx(q.x), dFdy(q.x))), 1e-5) * 24.0;
    if (cell.x < 0.0 || any(lessThan(q, vec2(0.01))) || any(greaterThan(q, vec2(0.99)))) return 0.0;
    float d = textureLod(u_atlas, (cell + q) / u_atlas_size, 0.0).r - max(pen, grain) * 0.5;
    return 1.0 - smoothstep(-0.5 * grain, 0.5 * grain, d);
}

void main() {
    vec2 half_ = v_shape.xy, q = abs(v_local) - half_ + v_shape.z;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_shape.z;
    float px = max(length(vec2(dFdx(d), dFdy(d))), 1e-6), least = min(half_.x, half_.y);
    float body = 1.0 - smoothstep(-0.5 * px, 0.5 * px, d);
    float line = v_outline.a * smoothstep(-0.5 * px, 0.5 * px, d + max(0.045 * least, 1.2 * px));
    float ink = inked(v_atlas_cells.xy, v_local / (least * v_shape.w), v_stroke.x);
    vec2 place = half_ - vec2(least * 0.3), small = vec2(least * 0.24);
    // The corner image: at the top left, and upside down at the bottom right.
    float other = max(
        inked(v_atlas_cells.zw, (v_local - vec2(-place.x, place.y)) / small, v_stroke.x * 1.5),
        inked(v_atlas_cells.zw, -(v_local - vec2(place.x, -place.y)) / small, v_stroke.x * 1.5));
    ink = max(ink, other);
    vec4 c = vec4(v_fill.rgb, v_fill.a);
    c = vec4(mix(c.rgb, v_outline.rgb, line), max(c.a, line));
    c = vec4(mix(c.a > 0.0 ? c.rgb : v_ink, v_ink, ink), max(c.a, ink));
    f_colour = vec4(output_colour(c.rgb * v_light), c.a * body * v_stroke.y);
}

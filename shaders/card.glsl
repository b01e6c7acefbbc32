// Flat objects, and images on other objects: rounded rectangles with inked strokes. Compiled once for each surface,
// because software GL executes every branch: FELT, RELIEF (raised strokes on metal), SHADOW (of another card), and none
// of these for print.
// -- vertex
#include "light.glsl"
in vec2 in_corner;
in vec3 in_position;
in vec3 in_right;       // vectors from the centre to the right edge and to the top edge
in vec3 in_up;
in vec4 in_fill;        // linear colour of the paper; alpha 0 = none
in vec3 in_ink;
in vec4 in_outline;     // colour of the border; alpha 0 = none
in vec4 in_shape;       // half the width and height, corner radius, fraction that the image fills
in vec2 in_atlas_cell;  // atlas cell of the image; -1 = none
in vec3 in_stroke;      // stroke width in 24ths of an image; opacity; width over which a shadow fades
uniform mat4 u_view;
out vec2 v_local;
out vec3 v_at;
flat out vec4 v_fill;
flat out vec3 v_ink;
flat out vec4 v_outline;
flat out vec4 v_shape;
flat out vec2 v_atlas_cell;
flat out vec3 v_stroke;
flat out vec3 v_light;
flat out vec3 v_right;
flat out vec3 v_up;
void main() {
    vec2 corner = in_corner * (1.0 + 0.02);
    vec3 at = in_position + in_right * corner.x + in_up * corner.y;
    v_local = corner * in_shape.xy;
    v_at = at;
    v_fill = in_fill;
    v_ink = in_ink;
    v_outline = in_outline;
    v_shape = in_shape;
    v_atlas_cell = in_atlas_cell;
    v_stroke = in_stroke;
    v_right = in_right / in_shape.x;
    v_up = in_up / in_shape.y;
    vec3 n = normalize(cross(in_right, in_up));
    if (dot(n, u_eye - in_position) < 0.0) n = -n;
    v_light = u_key * clamp(dot(n, u_window_direction), 0.0, 1.0) + ambient(n);
#ifndef FELT
    v_light *= pool_light(in_position.xy);
    // Print must stay readable in the evening and far from the lamp.
    v_light *= max(1.0, 0.62 / max(max(v_light.r, v_light.g), v_light.b));
#endif
    gl_Position = u_view * vec4(at, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_local;
in vec3 v_at;
flat in vec4 v_fill;
flat in vec3 v_ink;
flat in vec4 v_outline;
flat in vec4 v_shape;
flat in vec2 v_atlas_cell;
flat in vec3 v_stroke;
flat in vec3 v_light;
flat in vec3 v_right;
flat in vec3 v_up;
out vec4 f_colour;
uniform sampler2D u_atlas;
uniform vec2 u_atlas_size;  // number of columns and rows in the atlas

// Distance from p to the strokes of the image, in 24ths of its size. p is relative to the image's centre, in units of
// half its size.
float stroke_distance(vec2 p) {
    vec2 q = p * 0.5 + 0.5;
    if (v_atlas_cell.x < 0.0 || any(lessThan(q, vec2(0.01))) || any(greaterThan(q, vec2(0.99)))) return 6.0;
    return textureLod(u_atlas, (v_atlas_cell + q) / u_atlas_size, 0.0).r;
}

#ifdef FINE
// Nap of felt: short hairs, fading where they would be smaller than a pixel, and slight clouds.
float hash(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }
float nap(vec2 p) {
    vec2 i = floor(p), f = p - i;
    f *= f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0)), f.x), f.y) - 0.5;
}
#endif

#ifdef RELIEF
// Height of the raised image and border; d is the distance to the edge, which is negative inside.
float height_at(vec2 local, float d, float least) {
    float s = stroke_distance(local / (least * v_shape.w)) - v_stroke.x * 0.5;
    float border = abs(d / least + 0.085) - 0.045;
    return max(1.0 - smoothstep(-0.7, 0.9, s), 1.0 - smoothstep(-0.04, 0.04, border));
}
#endif

void main() {
    vec2 half_ = v_shape.xy, q = abs(v_local) - half_ + v_shape.z;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_shape.z;
#ifdef SHADOW
    float dark = smoothstep(0.0, -v_stroke.z, d);
    f_colour = vec4(output_colour(v_fill.rgb), v_fill.a * dark * dark * v_stroke.y);
#else
    float px = max(length(vec2(dFdx(d), dFdy(d))), 1e-6), least = min(half_.x, half_.y);
    float body = 1.0 - smoothstep(-0.5 * px, 0.5 * px, d);
    float line = v_outline.a * smoothstep(-0.5 * px, 0.5 * px, d + max(min(0.045 * least, 0.08), 1.2 * px));
    vec3 light = v_light;
    vec4 c = v_fill;
#ifdef RELIEF
    float e = 0.03 * least, h = height_at(v_local, d, least);
    vec2 slope = vec2(height_at(v_local + vec2(e, 0.0), d + e * v_local.x / least, least),
        height_at(v_local + vec2(0.0, e), d + e * v_local.y / least, least)) - h;
    vec3 n = normalize(cross(v_right, v_up) - 0.9 * (v_right * slope.x + v_up * slope.y));
    vec3 eye = normalize(u_eye - v_at), m = reflect(-eye, n);
    // Polished on the raised parts, and tarnished between them.
    vec3 metal = mix(v_fill.rgb * 0.62, mix(v_fill.rgb, v_ink, 0.35), h);
    float facing = clamp(dot(n, u_window_direction), 0.0, 1.0) / max(u_window_direction.z, 0.2);
    float shine = sixteenth_power(max(dot(m, u_window_direction), 0.0)), grazing = fourth_power(1.0 - clamp(dot(n, eye), 0.0, 1.0));
    c.rgb = metal * (0.25 + 0.8 * facing + 0.25 * m.z) + (0.35 + 0.65 * metal) * (0.9 * shine + 0.8 * grazing);
    c.rgb = mix(c.rgb, v_outline.rgb, 0.35 * line);
#else
#ifdef FELT
#ifdef FINE
    vec2 p = v_at.xy * 34.0;
    float fine = clamp(1.6 - 20.0 * length(vec2(dFdx(v_at.x), dFdy(v_at.x))), 0.0, 1.0);
    c.rgb *= 1.0 + 0.28 * (nap(vec2(p.x + 0.4 * p.y, p.y * 0.55)) * fine + nap(v_at.yx * vec2(1.7, 1.3)));
#endif
    light *= pool_light(v_at.xy);
#endif
    c = vec4(mix(c.rgb, v_outline.rgb, line), max(c.a, line));
#ifndef FELT
    vec2 at = v_local / (least * v_shape.w);
    float grain = max(length(vec2(dFdx(at.x), dFdy(at.x))), 2e-5) * 12.0;
    float ink = 1.0 - smoothstep(-0.5 * grain, 0.5 * grain, stroke_distance(at) - max(v_stroke.x, grain) * 0.5);
    c = vec4(mix(c.a > 0.0 ? c.rgb : v_ink, v_ink, ink), max(c.a, ink));
#endif
#endif
    f_colour = vec4(output_colour(c.rgb * light), c.a * body * v_stroke.y);
#endif
}

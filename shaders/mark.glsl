// Marks drawn over the image: strokes of constant width, light inside and dark outside, hidden by marbles in front.
// Compiled once for each family of marks, because software GL executes every branch: BOARD_OUTLINES, SHAPES, LINES,
// RINGS, ARCS, GLYPHS, NUMBERS.
// -- vertex
in vec2 in_corner;
in vec4 in_position;               // position, stroke width
in vec3 in_right;                  // vector from the centre to the right edge of the mark's quad
in vec3 in_up;
in vec4 in_extent;                 // half the width and height in the mark's own units; size; kind
in vec4 in_colour;                 // sRGB, alpha
in vec4 in_ranges;                 // xy: start and length of a ring, in turns, or the number to show; zw: first index and count in u_occluders
uniform mat4 u_view;
uniform float u_up;                // -1 to turn the image upside down
const float TURN = 6.2831853;
const float RING_SEGMENTS = 24.0;  // segments of the strip used to draw a ring
out vec3 v_position;
out vec2 v_local;
out vec2 v_arrowhead;              // for an arc: position relative to its end, along its direction
flat out float v_width;
flat out vec4 v_extent;
flat out vec4 v_colour;
flat out vec4 v_ranges;
void main() {
    v_width = in_position.w;
    v_extent = in_extent;
    v_colour = in_colour;
    v_ranges = in_ranges;
#ifdef ARCS
    // A ribbon along the quadratic curve from in_position to in_up with control point in_right. Its sides and ends are
    // in_extent.y pixels away. A pixel is in_extent.x units, and the head is in_extent.z pixels long.
    float t = clamp(in_corner.x, 0.0, 1.0), beyond = (in_corner.x - t > 0.0 ? 1.0 : in_corner.x < t ? -1.0 : 0.0);
    vec3 face = normalize(cross(in_right, in_up));
    vec3 along = normalize((1.0 - 2.0 * t) * in_right + t * in_up);
    v_local = vec2(beyond, in_corner.y) * in_extent.y;
    vec3 p = 2.0 * t * (1.0 - t) * in_right + t * t * in_up;
    p += (along * v_local.x + cross(face, along) * v_local.y) * in_extent.x;
    vec3 arriving = normalize(in_up - in_right);
    v_arrowhead = vec2(dot(p - in_up, arriving), dot(p - in_up, cross(face, arriving))) / in_extent.x;
    v_position = in_position.xyz + p;
#else
    vec2 corner = in_corner;
#ifdef BOARD_OUTLINES
    // Extends as far inside the rim as outside, and far enough to include the rounded corners.
    if (dot(corner, corner) < 0.5) corner *= 2.8 * max(2.0 * in_extent.z - in_extent.x - 0.1, 0.0) / in_extent.x;
#endif
#ifdef RINGS
    if (in_ranges.y < 1.0) {
        float turn = (in_ranges.x + in_ranges.y * float(gl_VertexID / 2) / RING_SEGMENTS) * TURN;
        corner = vec2(sin(turn), cos(turn)) * length(corner);
    }
    // Cover only the ring itself, unless it is hatched.
    if (dot(corner, corner) < 0.5)
        corner *= int(in_extent.w) == 6 ? 0.0 : 2.0 * max(2.0 * in_extent.z / in_extent.x - 1.0, 0.0) * 0.98;
#endif
    v_position = in_position.xyz + in_right * corner.x + in_up * corner.y;
    v_local = corner * in_extent.xy;
#endif
    gl_Position = u_view * vec4(v_position, 1.0);
    gl_Position.y *= u_up;
}
// -- fragment
in vec3 v_position;
in vec2 v_local;
in vec2 v_arrowhead;
flat in float v_width;
flat in vec4 v_extent;
flat in vec4 v_colour;
flat in vec4 v_ranges;
out vec4 f_colour;
uniform vec3 u_eye;
uniform vec3 u_edge_colour;
const float TURN = 6.2831853;
uniform float u_scale;       // physical pixels per logical pixel
uniform sampler2D u_occluders;
uniform sampler2D u_digits;  // ten digits side by side: distance from the middle of a stroke, in digit heights
const vec2 CELL = vec2(0.9, 1.4);

float segment(vec2 p, vec2 a, vec2 b) {
    vec2 ab = b - a;
    return length(p - a - ab * clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0));
}

void main() {
    int kind = int(v_extent.w);
    float size = v_extent.z, r = length(v_local), shown = 1.0, inner = 1.0;
    vec2 grain = vec2(length(vec2(dFdx(v_local.x), dFdy(v_local.x))), length(vec2(dFdx(v_local.y), dFdy(v_local.y))));
    float unit = max(max(grain.x, grain.y), 1e-6);
    float d, half_ = v_width * 0.5;
#ifdef RINGS
    float turn = fract(atan(v_local.x, v_local.y) / TURN + 1.0);
    float ring = r - size;
    d = ring;
    // The stroke has the same width on screen however the ring is tilted.
    unit = max(length(vec2(dFdx(ring), dFdy(ring))), 1e-6);
    inner = 0.0;
    if (kind == 2 || kind == 15) {
        float n = 12.0, along = abs(fract(turn * n) - 0.5) - 0.29;
        shown = 1.0 - smoothstep(-0.5, 0.5, along * TURN * size / n / unit);
    } else if (kind == 6 && r < size) {
        vec2 turned = vec2(v_local.x + v_local.y, v_local.x - v_local.y) * 0.70710678;
        vec2 hatch = abs(fract(turned / size * 1.5 + 0.5) - 0.5) * size / 1.5;
        float cross_ = min(hatch.x, hatch.y);
        if (cross_ < abs(d)) { d = cross_; inner = 1.0; half_ = 1.2; }
    }
    if (v_ranges.y < 1.0) {
        float along = abs(fract(turn - v_ranges.x - v_ranges.y * 0.5 + 0.5) - 0.5) - v_ranges.y * 0.5;
        shown = 1.0 - smoothstep(-0.5, 0.5, along * TURN * size / unit + 1.0);
    }
#endif
#ifdef LINES
    d = abs(v_local.y); half_ = size; unit = 1.0;
    if (kind == 11) {
        float step_ = 11.0 * u_scale;
        d = length(vec2((fract(v_local.x / step_) - 0.5) * step_, v_local.y));
    } else if (kind == 19) {
        vec2 p = vec2(abs(v_local.x), v_local.y) / u_scale;
        d = min(p.x < 5.0 ? length(vec2(p.x - 5.0, p.y)) : abs(p.y), segment(p, vec2(3.5, -5.0), vec2(6.5, 5.0))) * u_scale;
    }
#endif
#ifdef ARCS
    unit = 1.0;
    d = min(length(v_local), segment(vec2(v_arrowhead.x, abs(v_arrowhead.y)), vec2(0.0), vec2(-1.0, 0.72) * size * u_scale));
#endif
#ifdef NUMBERS
    unit = 1.0;
    d = r;
    half_ = size;
#endif
#ifdef GLYPHS
    vec2 p = v_local / u_scale;
    if (kind == 3) {
        d = length(p); half_ = size;
    } else if (kind == 4 || kind == 5) {
        d = segment(vec2(abs(p.x), kind == 4 ? p.y : -p.y), vec2(0.0, size * 0.3), vec2(size * 0.7, -size * 0.35));
    } else if (kind == 7 || kind == 8) {
        d = segment(vec2(p.x, kind == 8 ? abs(p.y) - 2.6 : p.y), vec2(-size * 0.7, 0.0), vec2(size * 0.7, 0.0));
    } else if (kind == 9) {
        p.y = abs(p.y);
        p.x += p.x < 0.425 * size - p.y ? size * 0.75 : 0.0;
        d = segment(p, vec2(size * 0.8, 0.0), vec2(size * 0.05, size * 0.75));
    } else if (kind == 16) {
        p.x = abs(p.x);
        d = min(length(p - vec2(0.0, size * 0.6)), length(p - vec2(size * 0.6, -size * 0.4)));
        half_ = v_width;
    } else if (kind == 17) {
        p = p.y < 0.0 ? -p : p;
        d = min(segment(p, vec2(-size * 0.8, size * 0.3), vec2(size * 0.8, size * 0.3)), segment(p, vec2(size * 0.8, size * 0.3), vec2(size * 0.3, size * 0.8)));
    } else {
        p = vec2(abs(p.x), p.y - size * 0.25);
        float loop = min(abs(length(p - vec2(size * 0.36, 0.0)) - size * 0.46), abs(length(p + vec2(size * 0.36, 0.0)) - size * 0.46));
        d = min(loop, segment(p, vec2(size * 0.12, -size * 0.42), vec2(size * 0.6, -size * 1.05)));
    }
    d *= u_scale;
#endif
#ifdef SHAPES
    if (kind == 12) {
        vec2 p = abs(v_local);
        d = max(p.x, p.y) - size;
        shown = step(size * 0.55, min(p.x, p.y));
        inner = 0.0;
    } else {
        d = 0.0;
    }
#endif
#ifdef BOARD_OUTLINES
    vec2 p = abs(v_local) - size + 0.2;
    d = length(max(p, 0.0)) + min(max(p.x, p.y), 0.0) - 0.2;
    unit = max(length(vec2(dFdx(d), dFdy(d))), 1e-6);
    inner = 0.0;
#endif
    float px = d / unit / u_scale, blur = 0.5 / u_scale;
    // Outlines have a dark edge on the outside only, filled marks all around.
    bool edged = px > 0.0 || inner > 0.5;
    float light = edged ? 1.0 - smoothstep(half_ - blur, half_ + blur, abs(px)) : 1.0;
    // Marks in front of the pale table or on white marbles need a wider dark edge.
#ifdef GLYPHS
    float reach = half_ + (kind == 3 ? 1.0 : 1.8);
#else
    float reach = edged ? half_ + 1.0 : half_;
#endif
    float body = 1.0 - smoothstep(reach - blur, reach + blur, abs(px));
    float alpha = body * shown * v_colour.a;
    vec3 colour = mix(u_edge_colour, v_colour.rgb, light);
#ifdef NUMBERS
    float tens = floor(v_ranges.x / 10.0), tall = size * (tens > 0.0 ? 0.95 : 1.12);
    float pen = v_width * (tens > 0.0 ? 0.4 : 0.5);
    vec2 p = v_local / u_scale / tall;
    // Two digits are side by side; each cell measures CELL, in digit heights.
    float aside = tens > 0.0 ? 0.355 : 0.0, digit = tens > 0.0 && p.x < 0.0 ? tens : v_ranges.x - 10.0 * tens;
    p.x += tens > 0.0 && p.x < 0.0 ? aside : -aside;
    vec2 cell = clamp(p / CELL + 0.5, 0.0, 1.0);
    float ink = textureLod(u_digits, vec2((digit + cell.x) / 10.0, cell.y), 0.0).r * tall;
    colour = mix(u_edge_colour, colour, smoothstep(pen - blur, pen + blur, ink));
#endif
#ifdef SHAPES
    if (kind == 13) {
        alpha = v_colour.a * smoothstep(size, size * 0.3, r) * 0.75;
        colour = v_colour.rgb;
    }
#endif
    if (alpha < 0.004) discard;
    vec3 way = v_position - u_eye;
    float away = length(way);
    way /= away;
    // Software GL continues after discard, so make the loop empty there.
    int first = int(v_ranges.z), count = alpha < 0.004 ? 0 : int(v_ranges.w);
    for (int i = 0; i < count; i++) {
        vec4 ball = texelFetch(u_occluders, ivec2(first + i, 0), 0);
        vec3 to = ball.xyz - u_eye;
        float t = dot(to, way);
        float off = sqrt(max(dot(to, to) - t * t, 0.0));
        float front = t - sqrt(max(ball.w * ball.w - off * off, 0.0));
        float edge = away / 2000.0;
        if (front < away) alpha *= smoothstep(ball.w - edge, ball.w + edge, off);
    }
    f_colour = vec4(colour, alpha);
}

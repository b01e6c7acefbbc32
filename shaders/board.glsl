// A board: the slab, its texture, and round holes shaped like part of a sphere.
// Software GL executes both sides of every branch, so there are variants: TOP: only the top; HOLE: one hole in it;
// SIDES: all other sides; COVER: a folded cover instead of a board.
// -- vertex
in vec3 in_position;
#ifdef HOLE
in vec3 in_hole;  // centre of the hole, and its scale
flat out vec3 v_hole;
#elif !defined(TOP)
in vec3 in_normal;
in vec3 in_outline_offset;  // screen-space offset of the outline (antialiasing); opacity there
out vec3 v_normal;
out float v_coverage;
#endif
uniform mat4 u_view;
uniform vec3 u_origin;
out vec3 v_position;
void main() {
    v_position = in_position;
#ifdef HOLE
    v_hole = in_hole;
    v_position.xy = v_position.xy * in_hole.z + in_hole.xy;
#elif !defined(TOP)
    v_coverage = in_outline_offset.z;
    v_normal = in_normal;
#endif
    gl_Position = u_view * vec4(v_position + u_origin, 1.0);
#if !defined(HOLE) && !defined(TOP)
    gl_Position.xy += in_outline_offset.xy * gl_Position.w;
#endif
}
// -- fragment
#include "light.glsl"
in vec3 v_position;
#if defined(TOP) || defined(HOLE)
#ifdef HOLE
flat in vec3 v_hole;
#endif
const float v_coverage = 1.0;
#else
in vec3 v_normal;
in float v_coverage;
#endif
out vec4 f_colour;
uniform sampler2D u_top_texture;      // texture of the top
uniform sampler2D u_side_texture;     // textures of the sides, from bottom to top: east, west, south, north
uniform sampler2D u_board_light_map;
uniform sampler2D u_table_light_map;  // light map of the table
uniform vec2 u_light_map_area;        // half the extent of that light map
uniform vec3 u_origin;                // origin of the board; v_position is relative to it, and the top is at z = 0
uniform vec3 u_colour;
uniform float u_half_side;            // half the side length
uniform float u_gloss;
uniform vec2 u_hole_radii;            // radius of a hole at the surface, radius of its sphere
uniform vec3 u_window_light;          // light that the top reflects: from the window and, in u_sky_light, from the sky
uniform vec3 u_sky_light;
uniform vec3 u_table_window_light;    // the same for the table
uniform vec3 u_table_sky_light;
const float THICKNESS = 0.52;

// Brightness of the window's reflection on a barely polished surface.
float sheen(vec3 n, vec3 v) {
    float along = max(dot(reflect(-v, n), u_window_direction), 0.0);
    along *= along;
    return u_gloss * along * along;
}

#ifdef HDR
#if defined(TOP) || defined(HOLE)
uniform sampler2D u_reflected_balls;  // a row per part of the board with the marbles near it, two texels each, as in rays.glsl
uniform int u_part_count;             // number of parts along each side
uniform float u_reflection_blur;      // how fast reflections blur with distance
const int MIRRORED = 32;

// Add to colour c the reflections of marbles in the varnish of the top.
vec3 coated(vec3 c, vec3 v, vec3 p, float bare) {
    vec3 way = vec3(-v.xy, v.z), from = p + u_origin, seen = vec3(0.0);
    ivec2 part = clamp(ivec2((p.xy / u_half_side * 0.5 + 0.5) * float(u_part_count)), ivec2(0), ivec2(u_part_count - 1));
    float clear = 1.0, sum = 1e-6;
    for (int i = 0; i < MIRRORED; i++) {
        vec4 ball = texelFetch(u_reflected_balls, ivec2(2 * i, part.y * u_part_count + part.x), 0);
        if (ball.w <= 0.0) break;
        vec3 to = ball.xyz - from;
        float t = dot(to, way), off2 = max(dot(to, to) - t * t, 0.0), off = sqrt(off2), soft = 0.01 + u_reflection_blur * t;
        if (t > 0.0 && off < ball.w + soft) {
            float cover = smoothstep(ball.w + soft, ball.w - soft, off);
            vec3 n = normalize(way * (t - sqrt(max(ball.w * ball.w - off2, 0.0))) - to);
            vec4 colour = texelFetch(u_reflected_balls, ivec2(2 * i + 1, part.y * u_part_count + part.x), 0);
            float key = clamp((dot(n, u_window_direction) + 0.22) / 1.22, 0.0, 1.0), counts = cover * exp(-3.0 * t);
            seen += colour.rgb * (u_key * (0.8 * key * sqrt(key) * colour.a) + ambient(n) * 0.7) * counts;
            sum += counts;
            clear *= 1.0 - cover;
        }
    }
    float slant = 1.0 - v.z;
    slant *= slant;
    float coat = 0.045 + 0.55 * u_gloss + (0.25 + 4.0 * u_gloss) * slant * slant;
    return mix(c, seen / sum, coat * (1.0 - clear) * bare);
}
#endif
#endif

void main() {
    vec3 p = v_position;
    vec3 v = normalize(u_eye - u_origin - p);
#if defined(TOP) || defined(HOLE)
    vec2 at = p.xy / u_half_side * 0.5 + 0.5;
    vec3 grain = texture(u_top_texture, at).rgb;
    vec4 lit = texture(u_board_light_map, at);
    float sky = sky_in(lit);
    WINDOW_TYPE sun = window_in(lit) * mix(0.55, 1.0, sky);
#ifdef TOP
    vec3 n = vec3(0.0, 0.0, 1.0);
    vec3 c = grain * grain * (u_window_light * sun + u_sky_light * sky);
    c += u_key * sun * sheen(n, v);
#ifdef HDR
    c = coated(c, v, p, 1.0);
#endif
#else
    // A scaled hole looks like one of normal size that is nearer or farther away.
    p.xy = (p.xy - v_hole.xy) / v_hole.z;
    vec2 off = p.xy;
    float r = length(off), edge = fwidth(r);
    float inside = 1.0 - smoothstep(u_hole_radii.x - edge, u_hole_radii.x + edge, r);
    // Looking into the hole: the view ray hits the far wall of the sphere.
    vec3 centre = vec3(0.0, 0.0, sqrt(u_hole_radii.y * u_hole_radii.y - u_hole_radii.x * u_hole_radii.x));
    vec3 to = p - centre;
    float b = dot(to, -v);
    vec3 wall = p - v * (sqrt(max(b * b - dot(to, to) + u_hole_radii.y * u_hole_radii.y, 0.0)) - b);
    vec3 m = normalize(centre - wall);
    float depth = clamp(-wall.z / 0.17, 0.0, 1.0);
    // The rim shades the wall on the side of the window.
    vec2 out_at = wall.xy - u_window_direction.xy / u_window_direction.z * wall.z;
    float own = 1.0 - 0.9 * smoothstep(u_hole_radii.x - 0.09, u_hole_radii.x + 0.07, length(out_at));
    sun *= mix(1.0, own, inside);
    float shape = mix(1.0, 1.0 - 0.42 * depth, inside);
    // A worn, rounded edge.
    float lip = smoothstep(u_hole_radii.x + 0.055, u_hole_radii.x, r) * (1.0 - inside);
    vec3 n = normalize(mix(vec3(0.0, 0.0, 1.0) - vec3(off / max(r, 0.01), 0.0) * 0.6 * lip, m, inside));
    float key = clamp(dot(n, u_window_direction) * 0.95 + 0.05, 0.0, 1.0);
    vec3 c = u_colour * grain * grain * 2.25 * (u_key * sun * key + ambient(n) * sky * shape);
    c += u_key * sun * (sheen(n, v) * shape);
#ifdef HDR
    c = coated(c, v, v_position, 1.0 - inside);
#endif
#endif
#else
    vec3 n = normalize(v_normal), grain, thrown = vec3(0.0);
    WINDOW_TYPE sun = WINDOW_TYPE(1.0);
    float sky = 0.72 + 0.28 * smoothstep(-THICKNESS, -0.1, p.z), shape = 1.0;
#ifdef COVER
    // Four flaps folded to the centre, each slightly over the previous one, with soft creases where they meet.
    grain = texture(u_top_texture, p.xy * 0.42 + p.z * vec2(0.3, 0.1)).rgb;
    vec2 q = abs(p.xy);
    float flat_ = smoothstep(0.9, 1.0, n.z), diagonal = abs(q.x - q.y) * 0.7071;
    vec2 flap = q.x > q.y ? vec2(sign(p.x), 0.0) : vec2(0.0, sign(p.y));
    shape = 1.0 - 0.30 * smoothstep(0.035, 0.0, diagonal) * flat_;
    n = normalize(n + vec3(flap * (0.05 + 0.22 * smoothstep(0.16, 0.0, diagonal)) * flat_, 0.0));
#else
    vec2 at = p.xy / u_half_side * 0.5 + 0.5;
    float up = clamp(p.z / THICKNESS + 1.0, 0.02, 0.98);
    // Around a rounded corner, the end grain takes over early: the growth rings run along x, so a cross-section stays
    // right for longer.
    vec3 end = texture(u_side_texture, vec2(at.y, (step(n.x, 0.0) + up) * 0.25)).rgb;
    grain = texture(u_side_texture, vec2(at.x, (2.0 + step(0.0, n.y) + up) * 0.25)).rgb;
    grain = mix(grain, end, smoothstep(0.0, 0.6, abs(n.x) / max(abs(n.x) + abs(n.y), 1e-4)));
    // Across the bevel, the grain of the sides blends into that of the top; the bevel is lit like the top.
    float top = smoothstep(0.25, 0.95, n.z);
    grain = mix(grain, texture(u_top_texture, at).rgb, top);
    if (n.z > 0.6) {
        vec4 lit = texture(u_board_light_map, at);
        sky = sky_in(lit);
        sun = window_in(lit) * mix(0.55, 1.0, sky);
    }
#endif
    // The table next to the board reflects light onto its sides, most strongly at the bottom.
    vec2 beside = p.xy + u_origin.xy + n.xy * 0.45;
    vec4 there = texture(u_table_light_map, beside / u_light_map_area * 0.5 + 0.5);
    thrown = (u_table_window_light * window_in(there) + u_table_sky_light * sky_in(there)) * pool_light(beside);
    thrown *= 0.42 * clamp(-p.z / THICKNESS, 0.0, 1.0) * (1.0 - max(n.z, 0.0));
    float key = clamp(dot(n, u_window_direction) * 0.95 + 0.05, 0.0, 1.0);
    vec3 c = u_colour * grain * grain * 2.25 * (u_key * sun * key + ambient(n) * sky * shape + thrown);
    c += u_key * sun * (sheen(n, v) * shape);
#endif
    f_colour = vec4(output_colour(c), v_coverage);
}

// A board: the slab, its grain, and round holes hollowed out by a sphere.
// Software GL runs both sides of every branch: FLAT is the upper side alone, FOLD not a board but a folded cover.
// -- vertex
in vec3 in_position;
in vec3 in_normal;
in vec3 in_push;    // how far the outline is pushed out, in the picture; how solid it is there
uniform mat4 u_view;
uniform vec3 u_origin;
out vec3 v_position;
out vec3 v_normal;
out float v_cover;
void main() {
    v_cover = in_push.z;
    v_position = in_position;
    v_normal = in_normal;
    gl_Position = u_view * vec4(in_position + u_origin, 1.0);
    gl_Position.xy += in_push.xy * gl_Position.w;
}
// -- fragment
#include "light.glsl"
in vec3 v_position;
in vec3 v_normal;
in float v_cover;
out vec4 f_colour;
uniform sampler2D u_top;     // grain of the upper side
uniform sampler2D u_sides;   // lower half: end grain, upper half: long grain
uniform sampler2D u_light;
uniform vec3 u_origin;       // of the board; v_position counts from it, z = 0 is its upper side
uniform vec3 u_colour;
uniform float u_half;        // half its side
uniform float u_last;        // coordinate of the outermost holes
uniform float u_gloss;
uniform vec2 u_hole;         // radius at the surface, radius of the hollowing sphere
const float THICKNESS = 0.52;
void main() {
    vec3 p = v_position, n = normalize(v_normal);
    vec3 v = normalize(u_eye - u_origin - p);
    vec3 grain;
    WINDOW sun = WINDOW(1.0);
    float sky = 1.0, shape = 1.0;
#ifdef FOLD
    {
        // Four flaps folded to the middle, each a little over the one before; soft creases where they meet.
        grain = texture(u_top, p.xy * 0.42 + p.z * vec2(0.3, 0.1)).rgb;
        vec2 q = abs(p.xy);
        float flat_ = smoothstep(0.9, 1.0, n.z), diagonal = abs(q.x - q.y) * 0.7071;
        vec2 flap = q.x > q.y ? vec2(sign(p.x), 0.0) : vec2(0.0, sign(p.y));
        shape = 1.0 - 0.30 * smoothstep(0.035, 0.0, diagonal) * flat_;
        n = normalize(n + vec3(flap * (0.05 + 0.22 * smoothstep(0.16, 0.0, diagonal)) * flat_, 0.0));
        sky = 0.72 + 0.28 * smoothstep(-THICKNESS, -0.1, p.z);
    }
#else
#ifndef FLAT
    if (n.z > 0.6)
#endif
    {
        grain = texture(u_top, p.xy / u_half * 0.5 + 0.5).rgb;
        vec4 lit = texture(u_light, p.xy / u_half * 0.5 + 0.5);
        sky = sky_in(lit);
        sun = window_in(lit) * mix(0.55, 1.0, sky);
        vec2 middle = clamp(round(p.xy + u_last), 0.0, 2.0 * u_last) - u_last;
        vec2 off = p.xy - middle;
        float r = length(off), edge = fwidth(r);
        float inside = 1.0 - smoothstep(u_hole.x - edge, u_hole.x + edge, r);
        if (n.z > 0.99 && r < u_hole.x + 0.06) {
            // The eye looks into the hollow: far wall of the sphere on the way.
            vec3 centre = vec3(middle, sqrt(u_hole.y * u_hole.y - u_hole.x * u_hole.x));
            vec3 to = p - centre;
            float b = dot(to, -v);
            vec3 wall = p - v * (sqrt(max(b * b - dot(to, to) + u_hole.y * u_hole.y, 0.0)) - b);
            vec3 m = normalize(centre - wall);
            float depth = clamp(-wall.z / 0.17, 0.0, 1.0);
            // The rim keeps the window from the wall on its own side.
            vec2 out_at = wall.xy - middle - u_sun.xy / u_sun.z * wall.z;
            float own = 1.0 - 0.9 * smoothstep(u_hole.x - 0.09, u_hole.x + 0.07, length(out_at));
            sun *= mix(1.0, own, inside);
            shape = mix(1.0, 1.0 - 0.42 * depth, inside);
            // A worn, rounded lip.
            float lip = smoothstep(u_hole.x + 0.055, u_hole.x, r) * (1.0 - inside);
            n = normalize(mix(n - vec3(off / max(r, 0.01), 0.0) * 0.6 * lip, m, inside));
        }
    }
#ifndef FLAT
    else {
        bool end = abs(n.x) > abs(n.y);
        vec2 at = vec2(end ? p.y : p.x, p.z);
        grain = texture(u_sides, vec2(at.x / u_half * 0.5 + 0.5, (at.y / THICKNESS + 1.0) * 0.46 + (end ? 0.02 : 0.52))).rgb;
        sky = 0.72 + 0.28 * smoothstep(-THICKNESS, -0.1, p.z);
    }
#endif
#endif
    vec3 albedo = u_colour * grain * grain * 2.25;
    float key = clamp(dot(n, u_sun) * 0.95 + 0.05, 0.0, 1.0);
    vec3 c = albedo * (u_key * sun * key + ambient(n) * sky * shape);
    vec3 h = normalize(u_sun + v);
    float nh = max(dot(n, h), 0.0);
    nh *= nh; nh *= nh; nh *= nh; nh *= nh;
    c += u_key * sun * (u_gloss * nh * shape);
    f_colour = vec4(display(c), v_cover);
}

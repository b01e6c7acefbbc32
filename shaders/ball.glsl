// Marbles: ray-cast spheres, each on a flat octagon that faces the camera, drawn back to front.
// Software GL executes both sides of every branch, so rarely used features are compiled in only when needed:
// BEADS: glass beads used as marks; RECOLOUR: marbles that change colour; SIGNS: printed signs; GOLD_RIM: gold rims;
// DARK_BOARD_EDGE: a light outline around dark marbles; GLASS: transparent marbles.
// With HDR, the surroundings of a marble are found by tracing rays; otherwise a few numbers describe them.
// ACCUMULATED: one of many frames that are averaged, each with different random rays.
// -- vertex
in vec2 in_corner;
in vec4 in_sphere;    // centre, radius
in vec4 in_colour;    // linear RGB, alpha
in vec4 in_material;  // highlight, roughness, bands, speckles
in vec4 in_surface;   // rotation; gold rim; 1 for a bead, otherwise transparency; height of the surface below
in vec4 in_lookup;    // first index and count in u_light_blockers; printed sign; row in u_neighbours
#ifndef HDR
in vec4 in_contact_level;  // closeness of the neighbours on the same level: +x -x +y -y
in vec4 in_contact_above;  // closeness of the neighbours above: (+x +y) (-x +y) (+x -y) (-x -y)
in vec4 in_contact_below;  // closeness of the neighbours below, in the same order
in vec4 in_bounce_red;     // light reflected by neighbours: xyz by direction, w from all sides
in vec4 in_bounce_green;
in vec4 in_bounce_blue;
flat out vec4 v_contact_level;
flat out vec4 v_contact_above;
flat out vec4 v_contact_below;
flat out vec4 v_bounce_red;
flat out vec4 v_bounce_green;
flat out vec4 v_bounce_blue;
#endif
in vec4 in_recolour;            // linear colour that spreads over the marble, and the fraction covered
in vec3 in_recolour_direction;  // direction from which the colour spreads
in vec4 in_roll;                // horizontal rolling axis (x, y); angle already rolled, angle still to roll, radians
uniform mat4 u_view;
uniform vec3 u_eye;
out vec3 v_position;
flat out vec4 v_sphere;
flat out vec4 v_colour;
flat out vec4 v_material;
flat out vec4 v_surface;
flat out ivec4 v_lookup;
flat out vec4 v_turn;
flat out vec4 v_roll;
flat out vec4 v_recolour;
flat out vec3 v_recolour_direction;
void main() {
    vec3 to = in_sphere.xyz - u_eye;
    float away = length(to), r = in_sphere.w;
    vec3 z = to / away;
    vec3 x = normalize(vec3(z.y, -z.x, 0.0) + vec3(1e-6, 0.0, 0.0));
    vec3 y = cross(x, z);
    float wide = r * away / sqrt(away * away - r * r) * 1.03;
#if defined(GOLD_RIM) && defined(HDR)
    if (in_surface.y > 0.0) wide *= 1.35;
#endif
    v_position = in_sphere.xyz + (x * in_corner.x + y * in_corner.y) * wide;
    v_sphere = in_sphere;
    v_colour = in_colour;
    v_material = in_material;
    v_surface = in_surface;
    v_surface.x = in_roll.z > 0.0 ? in_roll.z / (in_roll.z + in_roll.w) : 0.0;   // fraction of the roll completed
    v_lookup = ivec4(in_lookup);
#ifndef HDR
    v_contact_level = in_contact_level;
    v_contact_above = in_contact_above;
    v_contact_below = in_contact_below;
    v_bounce_red = in_bounce_red;
    v_bounce_green = in_bounce_green;
    v_bounce_blue = in_bounce_blue;
#endif
    v_turn = vec4(cos(in_surface.x), sin(in_surface.x), in_roll.xy);
    v_roll = vec4(cos(in_roll.z), sin(in_roll.z), cos(in_roll.w), -sin(in_roll.w));
    v_recolour = in_recolour;
    v_recolour_direction = in_recolour_direction;
    gl_Position = u_view * vec4(v_position, 1.0);
}
// -- fragment
#include "light.glsl"
#include "rays.glsl"
in vec3 v_position;
flat in vec4 v_sphere;
flat in vec4 v_colour;
flat in vec4 v_material;
flat in vec4 v_surface;
#ifndef HDR
flat in vec4 v_contact_level;
flat in vec4 v_contact_above;
flat in vec4 v_contact_below;
flat in vec4 v_bounce_red;
flat in vec4 v_bounce_green;
flat in vec4 v_bounce_blue;
#endif
flat in ivec4 v_lookup;
flat in vec4 v_turn;
flat in vec4 v_roll;
flat in vec4 v_recolour;
flat in vec3 v_recolour_direction;
out vec4 f_colour;
uniform sampler2D u_light_blockers;
uniform vec3 u_gold_colour;
uniform vec3 u_bead_colour;
uniform vec3 u_bead_edge_colour;
uniform vec3 u_view_up;         // up direction of the image
uniform float u_sign_strength;  // opacity of printed signs; 0 = none
uniform vec3 u_reflected_sky;   // reflected brightness of the room; the next two: of the board and the table
#ifndef HDR
uniform vec3 u_reflected_board;
uniform vec3 u_reflected_table;
#endif
const vec2 PANE = vec2(0.24, 0.36);  // half the width and height of the window, as tangents of angles
const float LATTICE = 0.55;          // fraction of light blocked by the bars of its paper screens

// Signed distance to the outline of a colour's sign, negative inside. q is relative to the marble's centre, in marble radii.
float sign_distance(int sign_, vec2 q) {
    float r = length(q);
    if (sign_ == 1) return abs(r - 0.30) - 0.03;
    if (sign_ == 2) return r - 0.26;
    if (sign_ == 3) return max(min(abs(q.x), abs(abs(q.x) - 0.21)) - 0.055, abs(q.y) - 0.32);
    if (sign_ == 4) return max(min(abs(q.x), abs(q.y)) - 0.065, max(abs(q.x), abs(q.y)) - 0.33);
    if (sign_ == 5) return max(abs(q.x) * 0.866 + q.y * 0.5, -q.y) - 0.19;
    return max(abs(q.y - 0.12 * sin(q.x * 14.0)) - 0.06, abs(q.x) - 0.34);
}

// Rotate n, a direction from the marble's centre, back by a rolling angle given as (cosine, sine).
vec3 unroll(vec3 n, vec2 angle) {
    vec3 axis = vec3(v_turn.zw, 0.0);
    return n * angle.x - cross(axis, n) * angle.y + axis * (dot(axis, n) * (1.0 - angle.x));
}

// Colour to output for blending: premultiplied by alpha with HDR, where the glow of gold is added to the image.
vec4 blend_colour(vec3 c, float alpha) {
#ifdef HDR
    c *= alpha;
#endif
    return vec4(c, alpha);
}

#ifndef HDR
vec4 contact_shade(vec4 facing, vec4 near) {
    facing = max(facing, 0.0);
    facing *= facing;
    return 1.0 - 0.92 * near * facing * facing;
}
#endif

#ifdef HDR
// Coverage by the bars of a paper screen, three panes high and two wide. at: absolute offset from the centre of the
// window, 1 at its edges.
float screen_bars(vec2 at) {
    vec2 off = vec2(at.x, abs(at.y - 0.3333)), wide = fwidth(at) * 0.7;
    vec2 bar = smoothstep(0.055 + wide, 0.055 - wide, off);
    return max(bar.x, bar.y) * smoothstep(0.45, 0.2, max(wide.x, wide.y));
}

#ifdef ACCUMULATED
uniform vec4 u_ray_sample;  // random points in the unit disc for this frame: xy for the reflected ray, zw for the light ray

// Direction of z * along + at, where at is an offset in the plane perpendicular to z.
vec3 scatter(vec3 z, float along, vec2 at) {
    float s = z.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (s + z.z), b = z.x * z.y * a;
    return normalize(z * along + vec3(1.0 + s * z.x * z.x * a, s * b, -s * z.x) * at.x + vec3(b, s + z.y * z.y * a, -z.y) * at.y);
}
#endif

vec3 glass_sky(vec3 way) {
    // A plain sky, with the window so blurred that it doesn't look like a second one.
    return mix(u_bounce_light, u_sky, 0.4 + 0.6 * max(way.z, 0.0)) * 1.5 + u_key * (0.55 * smoothstep(0.70, 1.0, dot(way, u_window_direction)));
}
#endif

// Fast approximation of a sine.
float fast_sin(float x) {
    float t = fract(x * 0.15915494) * 2.0 - 1.0;
    return 4.0 * (t * abs(t) - t);
}

#ifndef HDR
// Simplified reflection: the board below, the table towards the horizon, then the room.
vec3 simple_reflection(vec3 way) {
    vec3 below = mix(u_reflected_board, u_reflected_table, smoothstep(-0.75, -0.15, way.z));
    return mix(below, u_reflected_sky, smoothstep(-0.06, 0.10, way.z));
}
#endif

void main() {
    vec3 ray = normalize(v_position - u_eye);
    vec3 to = u_eye - v_sphere.xyz;
    float b = dot(to, ray), r = v_sphere.w;
    vec3 nearest = to - b * ray;
    float off = length(nearest), w = fwidth(off);
    float cover = clamp((r - off) / w + 0.5, 0.0, 1.0);
#if defined(GOLD_RIM) && defined(HDR)
    // Gold is the only thing that glows, slightly beyond the edge of the marble.
    if (cover <= 0.0) {
        float far = (off - r) / r;
        f_colour = vec4(u_gold_colour * (0.18 * v_surface.y * v_colour.a * exp(-far * far * 36.0) * smoothstep(0.35, 0.2, far)), 0.0);
        return;
    }
#else
    if (cover <= 0.0) discard;
#endif
    vec3 local = (nearest - ray * sqrt(max(r * r - off * off, 0.0)));
    vec3 p = v_sphere.xyz + local, n = local / r;
    float nv = max(-dot(n, ray), 0.0);
    vec3 mirrored = ray + 2.0 * nv * n;

    // Reflection of the window; the rougher the marble, the softer its edges.
    float facing = max(dot(mirrored, u_window_direction), 0.05), blur = 0.4 * v_material.y;
    vec2 pane = abs(vec2(dot(mirrored, u_window_side), dot(mirrored, u_window_up))) / facing;
    // The window has paper screens; only glazed marbles are smooth enough to show their lattice.
#ifdef HDR
    float bars = 1.0 - LATTICE * screen_bars(pane / PANE) * step(blur, 0.1);
#else
    const float bars = 1.0;
#endif
    vec2 soft = smoothstep(PANE + blur, PANE - blur, pane);
    float window = soft.x * soft.y * step(0.06, facing) * bars;

#ifdef BEADS
    if (v_surface.z > 0.99) {
        // Bead: hollow glass, visible mainly at its edge.
        float thin = 1.0 - nv;
        float rim = smoothstep(0.26, 0.56, thin);
        float dark = smoothstep(0.66, 0.82, thin);
        vec3 c = mix(u_bead_colour, u_bead_edge_colour, dark) + window * 0.5;
#ifdef HDR
        // The far wall acts as a concave mirror: it shows the window upside down, small and faint.
        vec3 wall = normalize(local + 2.0 * r * nv * ray), back = reflect(ray, wall);
        float second = smoothstep(0.93, 0.985, dot(back, u_window_direction)) * (1.0 - rim);
        c = from_srgb(c + second * 0.35);
        window = max(window, second * 0.35);
#endif
        f_colour = blend_colour(c, cover * v_colour.a * max(mix(0.16, 0.95, rim), window * 0.8));
        return;
    }
#endif

    float sun = 1.0;
    float nl = dot(n, u_window_direction);
    if (nl > -0.25) {
        for (int i = 0; i < v_lookup.y; i++) {
            vec4 ball = texelFetch(u_light_blockers, ivec2(v_lookup.x + i, 0), 0);
            sun *= 1.0 - (1.0 - window_visibility(ball.xyz - p, r)) * ball.w;
        }
    }
#ifdef HDR
    vec3 thrown;
    float open = ambient_visibility(p, n, v_lookup.w, thrown);
    // Light reflected from the horizontal surface below.
    float below = 0.5 - 0.5 * n.z;
    thrown += from_below(p.xy, p.z) * (open * below * below);
#else
    vec4 one = contact_shade(vec4(n.x, -n.x, n.y, -n.y), v_contact_level);
    float plus = n.x + n.y, minus = n.x - n.y, tall = n.z * 1.41421356;
    vec4 slant = vec4(plus, -minus, minus, -plus);
    vec4 two = contact_shade(0.5 * (slant + tall), v_contact_above), three = contact_shade(0.5 * (slant - tall), v_contact_below);
    one *= two * three;
    float open = one.x * one.y * one.z * one.w;
    vec4 way = vec4(n, 1.0);
    vec3 thrown = max(vec3(dot(v_bounce_red, way), dot(v_bounce_green, way), dot(v_bounce_blue, way)), 0.0) * mix(open, 1.0, 0.4);
#endif
    float above = clamp((p.z - v_surface.w) * 1.15, 0.0, 1.0);
    open *= mix(0.30, 1.0, above * (2.0 - above));

    vec3 albedo = v_colour.rgb;
#ifdef RECOLOUR
    if (v_recolour.w > 0.0) {
        float front = 1.25 - 2.5 * v_recolour.w;
        albedo = mix(albedo, v_recolour.rgb, smoothstep(front - 0.16, front + 0.16, dot(n, v_recolour_direction)));
    }
#endif
    // Shell bands and clay speckles, along an axis fixed to the marble. The pattern is oriented as at the start for the
    // first half of a roll, then as at the end: it switches where the marble moves fastest.
    vec3 o = unroll(n, v_surface.x <= 0.5 ? v_roll.xy : v_roll.zw);
    vec3 q = vec3(v_turn.x * o.x + v_turn.y * o.y, v_turn.x * o.y - v_turn.y * o.x, o.z);
    if (v_material.z > 0.0) {
        float band = fast_sin(q.x * 11.0 + 2.2 * q.z * q.y + fast_sin(q.y * 5.0) * 0.9);
        albedo *= 1.0 + v_material.z * (band * 0.7 + 0.3 * fast_sin(q.x * 27.0 + q.z * 3.0));
    }
    if (v_material.w > 0.0) {
        albedo *= 1.0 + v_material.w * fast_sin(q.x * 9.0 + fast_sin(q.y * 7.0 + q.z * 4.0) * 1.7) * fast_sin(q.z * 8.0 + q.y * 3.0);
    }
    float printed_ = 0.0;
#ifdef SIGNS
    if (v_lookup.z > 0) {
        // The sign seen at the start rolls out of view, and the one that will be seen at rest rolls into view.
        vec3 was = unroll(n, v_roll.xy), will = unroll(n, v_roll.zw);
        float lead = dot(will - was, ray) + 2.0 - 4.0 * v_surface.x;
        vec3 m = lead < 0.0 ? will : was;
        vec3 right = normalize(cross(ray, u_view_up));
        float d = sign_distance(v_lookup.z, vec2(dot(m, right), dot(m, cross(right, ray))));
        float ink = 1.0 - smoothstep(-0.7, 0.7, d / fwidth(d));
        ink *= step(dot(m, ray), 0.0) * smoothstep(0.0, 0.3, abs(lead));
        float light = dot(v_colour.rgb, vec3(0.3, 0.5, 0.2)) < 0.40 ? 0.86 : 0.03;
        albedo = mix(albedo, vec3(light), ink * u_sign_strength);
        printed_ = ink * u_sign_strength;
    }
#endif
    // A little light from the camera, so that the side away from the window stays readable.
#ifdef HDR
    // Subsurface scattering in shell: red light penetrates farther than blue.
    vec3 wrap = v_material.z > 0.0 ? vec3(0.44, 0.36, 0.29) : vec3(0.22);
    vec3 key = clamp((nl + wrap) / (1.0 + wrap), 0.0, 1.0);
    const float EYE = 0.50;
#else
    float key = clamp((nl + 0.22) / 1.22, 0.0, 1.0);
    const float EYE = 0.75;
#endif
    key *= sqrt(key);
#ifdef ACCUMULATED
    // Averaged over all frames, this gives the indirect light from everything except the window, occlusion included.
    vec3 from = scatter(n, sqrt(1.0 - min(dot(u_ray_sample.zw, u_ray_sample.zw), 1.0)), u_ray_sample.zw);
    vec3 lit = trace_ray(p, from, v_lookup.w, u_sky * (0.88 + 0.12 * dot(from, u_window_direction)));
#else
    vec3 lit = ambient(n) * open + thrown;
#endif
    vec3 c = albedo * (u_key * (0.95 * key * sun) + lit + u_sky * (EYE * nv * mix(open, 1.0, 0.25)));
    // A highlight thinner than a pixel would only flicker.
    float thin = 1.0 - max(nv, 1.4 * sqrt(w / r));
    float fresnel = thin * thin * thin;
#ifdef GLASS
    float clear = v_surface.z * (1.0 - printed_);
    if (clear > 0.0) {
        vec3 leaves;
        float path;
        vec3 on = refract_through(ray, n, leaves, path);
        // Keep the colour of the glass whatever is behind it, and dim bright backgrounds.
        vec3 seen = trace_ray(v_sphere.xyz + leaves * r, on, v_lookup.w, glass_sky(on));
        float strength = dot(seen, vec3(0.25, 0.6, 0.15));
        seen = mix(vec3(strength), seen, 0.4) / (0.6 + strength);
        vec3 tint = albedo / max(max(albedo.r, albedo.g), albedo.b);
        seen *= pow(tint, vec3(0.45 * path));
        // Light from the window is focused on the far side.
        float gathered = smoothstep(0.2, 1.0, -nl) + 0.5 * smoothstep(0.5, 1.0, -dot(leaves, u_window_direction));
        seen += albedo * (u_key * (0.6 * gathered * mix(sun, 1.0, 0.4)) + u_sky * 0.8);
        c = mix(c, seen, clear);
        c += mix(u_bounce_light, u_sky, 0.5 + 0.5 * mirrored.z) * (clear * open * (0.04 + 0.7 * fresnel * thin));
    }
#endif
#ifdef HDR
    float polish = (0.038 + 0.75 * fresnel * thin * thin) * (1.0 - v_material.y) * (0.25 + 0.75 * open);
#ifdef ACCUMULATED
    mirrored = scatter(mirrored, 1.0, u_ray_sample.xy * blur);
#endif
    c = mix(c, trace_ray(p, mirrored, v_lookup.w, u_reflected_sky), polish);
#else
    c = mix(c, simple_reflection(mirrored), (0.03 + 0.75 * fresnel * thin * thin) * (1.0 - v_material.y) * open);
#endif
    c += u_key * (v_material.x * window * (0.35 + 0.65 * sun) * (1.0 + 2.0 * fresnel));
#ifdef DARK_BOARD_EDGE
    // A thin light line along the edge; without it dark marbles would disappear on a dark board.
    float inside = 0.5 * nv * nv * r / w;
    c += (0.31 + 0.10 * key) * vec3(0.96, 0.99, 1.06) * v_colour.a * (1.0 - smoothstep(0.7, min(2.9, 0.7 + 0.12 * r / w), inside)) * smoothstep(0.08, 0.03, dot(albedo, vec3(0.2126, 0.7152, 0.0722)));
#endif
#ifdef GOLD_RIM
    if (v_surface.y > 0.0) {
        float gold = smoothstep(0.50, 0.66, thin);
        c = mix(c, u_gold_colour * (0.85 + 0.5 * key), gold * v_surface.y);
    }
#endif
    f_colour = blend_colour(output_colour(c), cover * v_colour.a);
}

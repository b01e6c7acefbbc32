// Bake the texture of a material: its brightness relative to the material's colour, stored as 2/3 of the square root.
// -- vertex
in vec2 in_corner;
out vec2 v_uv;
void main() {
    v_uv = in_corner;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
// -- fragment
in vec2 v_uv;
out vec4 f_colour;
uniform int u_material;  // 0 keyaki, 1 slate, 2 tatami, 3 lacquer, 4 linen, 5 charred cedar
uniform vec3 u_centre;   // point of the solid at the centre of the image
uniform vec3 u_right;    // vector from there to the right edge
uniform vec3 u_up;       // vector from there to the top edge
uniform float u_period;  // period in units; 0 = not periodic

vec2 noise_period = vec2(0.0);  // period of the noise, in its own units

float hash(vec3 p) {
    if (noise_period.x > 0.0) p.xy = mod(p.xy, noise_period);
    p = fract(p * 0.3183099 + 0.1) * 17.0;
    return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}
float noise(vec3 x) {
    vec3 i = floor(x), f = fract(x);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x), mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
// Noise that is stretched by 1 / scale and has the period of the image.
float tiled_noise(vec2 p, vec2 scale, float seed) {
    noise_period = u_period * scale;
    return noise(vec3(p * scale, seed));
}
float cloud(vec3 p) {
    return noise(p) * 0.5 + noise(p * 2.1 + 3.0) * 0.27 + noise(p * 4.3 + 7.0) * 0.15 + noise(p * 8.7 + 1.0) * 0.08;
}

vec3 keyaki(vec3 p) {
    // A plank cut beside the pith: growth rings around an axis along x, far below and to the side, bent by slow waves.
    float bend = cloud(vec3(p.x * 0.16, p.yz * 0.30) + 4.0) - 0.5, lean = cloud(vec3(p.x * 0.13, p.yz * 0.26) + 9.0) - 0.5;
    float radius = length(p.yz + vec2(bend, lean) * 1.5 - vec2(-2.6, -3.4)) * 4.3;
    radius += 0.10 * (noise(vec3(p.x * 1.4, p.yz * 5.0)) - 0.5);
    float which = floor(radius), year = radius - which;
    float strong = 0.35 + 0.65 * hash(vec3(which, 3.0, 5.0));
    // Each growth ring begins with a row of open pores and ends in a fine dark line.
    float late = smoothstep(0.35, 0.97, year) * (1.0 - smoothstep(0.97, 1.0, year));
    float row = (1.0 - smoothstep(0.0, 0.30, year)) * smoothstep(0.0, 0.02, year);
    float pore = smoothstep(0.54, 0.72, noise(vec3(p.x * 2.2, p.yz * 58.0))) * (0.25 + 0.75 * row);
    float fibre = noise(vec3(p.x * 2.6, p.yz * 84.0)) * 0.6 + noise(vec3(p.x * 0.8, p.yz * 21.0)) * 0.4;
    float shimmer = cloud(vec3(p.x * 0.9, p.yz * 0.7) + 20.0);
    float tone = 1.0 + 0.12 * (fibre - 0.5) + 0.26 * (shimmer - 0.5) - 0.40 * late * strong - 0.26 * pore;
    vec3 colour = mix(vec3(1.0), vec3(1.04, 0.97, 0.89), late * strong);
    if (u_up.z != 0.0 && u_right.y != 0.0) {
        // End grain: darker, redder, full of pores.
        float open = smoothstep(0.50, 0.68, noise(vec3(p.x * 2.0, p.yz * 44.0))) * (0.4 + 0.6 * row);
        tone *= 0.84 - 0.16 * late * strong - 0.10 * open;
        colour *= vec3(1.05, 0.96, 0.88);
    }
    return tone * colour;
}
vec3 slate(vec3 p) {
    float layer = cloud(p * vec3(1.3, 1.3, 5.0)), fine = cloud(p * 19.0);
    float vein = smoothstep(0.03, 0.0, abs(cloud(p * 0.8 + 5.0) - 0.52)) * 0.10;
    return vec3(1.0 + 0.14 * (layer - 0.5) + 0.13 * (fine - 0.5) + vein);
}
vec3 tatami(vec3 p) {
    // Rush in a wooden frame. The frame differs in brightness from the rush in every light; the sides are all frame.
    float inner = u_up.z != 0.0 ? -1.0 : u_right.x - 0.24 - max(abs(p.x), abs(p.y));
    if (inner < 0.0) {
        vec3 along = abs(p.x) > abs(p.y) ? p.yxz : p;
        return keyaki(along) * vec3(0.86, 0.47, 0.44) * (1.0 - 0.45 * smoothstep(-0.03, 0.0, inner) * step(u_up.z, 0.0));
    }
    float rush = p.y * 14.0, k = floor(rush);
    float round_ = sin(fract(rush) * 3.14159);
    float knot = 0.5 + 0.5 * sin(p.x * 22.0 + mod(k, 2.0) * 3.14159);
    return vec3(0.84 + 0.20 * round_ + 0.06 * knot + 0.16 * (noise(vec3(p.x * 1.3, k, 1.0)) - 0.5));
}
vec3 linen(vec3 p) {
    float weft = tiled_noise(p.xy, vec2(4.0, 32.0), 1.0), warp = tiled_noise(p.xy, vec2(32.0, 4.0), 2.0);
    float slub = tiled_noise(p.xy, vec2(2.0, 16.0), 3.0) + tiled_noise(p.xy, vec2(16.0, 2.0), 4.0);
    float cloth = tiled_noise(p.xy, vec2(1.0), 5.0);
    // A regular weave underneath: 32 threads per unit in both directions.
    float thread = sin(p.x * 100.53096) * sin(p.y * 100.53096);
    return vec3(1.0 + 0.07 * (weft + warp - 1.0) + 0.025 * (slub - 1.0) + 0.015 * (cloth - 0.5) + 0.035 * thread);
}
vec3 cedar(vec3 p) {
    float streak = tiled_noise(p.xy, vec2(1.0, 24.0), 1.0) * 0.6 + tiled_noise(p.xy, vec2(2.0, 64.0), 2.0) * 0.4;
    float board = tiled_noise(vec2(0.0, floor(p.y / 4.0)), vec2(1.0), 8.0);
    float crack = smoothstep(0.70, 0.95, tiled_noise(p.xy, vec2(0.5, 16.0), 3.0));
    return vec3(1.0 + 0.30 * (streak - 0.5) + 0.12 * (board - 0.5) - 0.12 * crack);
}

void main() {
    vec3 p = u_centre + u_right * v_uv.x + u_up * v_uv.y;
    vec3 c = vec3(1.0);
    if (u_material == 0) c = keyaki(p);
    else if (u_material == 1) c = slate(p);
    else if (u_material == 2) c = tatami(p);
    else if (u_material == 3) c = vec3(1.0 + 0.03 * (cloud(p * 3.0) - 0.5));
    else if (u_material == 4) c = linen(p);
    else c = cedar(p);
    f_colour = vec4(sqrt(max(c, 0.0) / 2.25), 1.0);
}

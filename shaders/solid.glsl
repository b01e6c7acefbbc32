// Plain objects on a table, instanced: boxes, dice, rails, discs, coins, octagons, balls. Compiled once for wood (WOOD),
// and once for everything else.
// -- vertex
#include "light.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec4 in_base;         // centre of the base; opacity
in vec4 in_size;         // half the width and depth, height; relative width of the top
in vec4 in_colour;       // linear colour of the top; alpha 1 = receives shadows
in vec4 in_side_colour;  // colour of the sides; gloss: 0 none, below 1 polished, 1 metal
in vec3 in_axis_x;       // axes of its orientation
in vec3 in_axis_y;
in vec3 in_axis_z;
uniform mat4 u_view;
uniform vec4 u_light_map_area;
uniform float u_table_z;
out vec3 v_window_light;
out vec3 v_sky_light;
out vec3 v_light_map;
flat out float v_alpha;
#ifdef WOOD
out vec2 v_grain;
out float v_shine;
#else
out vec3 v_normal;
out vec3 v_at;
out vec3 v_albedo;
flat out float v_gloss;
#endif
void main() {
    float wide = mix(1.0, in_size.w, in_position.z);
    vec3 p = vec3(in_position.xy * in_size.xy * wide, (in_position.z - 0.5) * in_size.z);
    vec3 n = in_normal / max(in_size.xyz * vec3(1.0, 1.0, 0.5), 1e-4);
    if (abs(in_normal.z) < 0.5) n.z += (1.0 - in_size.w) / max(in_size.z, 1e-4);
#ifdef WOOD
    // The grain runs along the longest side. Each object is cut from a different place in the same plank, if possible
    // away from its ends, where the texture is mirrored.
    vec3 a = abs(in_normal), q = in_size.z > max(in_size.x, in_size.y) ? p.zxy : in_size.y > in_size.x ? p.yxz : p;
    if (in_size.z > max(in_size.x, in_size.y)) a = a.zxy;
    else if (in_size.y > in_size.x) a = a.yxz;
    vec2 plank = vec2(18.0, 4.0), halves = vec2(max(in_size.x, in_size.y), min(in_size.x, in_size.y)) / plank;
    vec2 free = max(0.48 - halves, 0.0) * (fract(in_base.xy * 0.37 + 0.21) * 2.0 - 1.0);
    v_grain = (a.z >= max(a.x, a.y) ? q.xy : a.y > a.x ? q.xz : q.yz) / plank + 0.5 + free;
#endif
    mat3 stands = mat3(in_axis_x, in_axis_y, in_axis_z);
    n = normalize(stands * n);
    vec3 at = stands * p + in_base.xyz + vec3(0.0, 0.0, in_size.z * 0.5);
    vec3 albedo = in_normal.z > 0.5 ? in_colour.rgb : in_side_colour.rgb;
    float key = clamp((dot(n, u_window_direction) + 0.08) / 1.08, 0.0, 1.0);
    vec3 reaches = pool_light(at.xy);
    v_window_light = albedo * u_key * key * reaches;
    // The table beside an object lights its sides.
    v_sky_light = albedo * (ambient(n) + 0.4 * u_bounce_light * (1.0 - abs(n.z))) * reaches;
    vec2 thrown = at.xy - u_window_direction.xy / u_window_direction.z * (at.z - u_table_z);
    v_light_map = vec3((thrown - u_light_map_area.xy) / u_light_map_area.zw * 0.5 + 0.5, in_colour.a * step(0.7, n.z));
    v_alpha = in_base.w;
#ifdef WOOD
    v_shine = 0.05 * sixteenth_power(max(dot(n, normalize(u_window_direction + normalize(u_eye - at))), 0.0));
#else
    v_normal = n;
    v_at = at;
    v_albedo = albedo * reaches;
    v_gloss = in_side_colour.a;
#endif
    gl_Position = u_view * vec4(at, 1.0);
}
// -- fragment
#include "light.glsl"
in vec3 v_window_light;
in vec3 v_sky_light;
in vec3 v_light_map;
flat in float v_alpha;
#ifdef WOOD
in vec2 v_grain;
in float v_shine;
uniform sampler2D u_grain;
#else
in vec3 v_normal;
in vec3 v_at;
in vec3 v_albedo;
flat in float v_gloss;
#endif
out vec4 f_colour;
uniform sampler2D u_shaded_light_map;
void main() {
    vec4 lit = texture(u_shaded_light_map, v_light_map.xy);
    WINDOW_TYPE sun = mix(WINDOW_TYPE(1.0), window_in(lit), v_light_map.z);
    float sky = mix(1.0, sky_in(lit), v_light_map.z);
    vec3 c = v_window_light * sun + v_sky_light * sky;
#ifdef WOOD
    // The texture is mirrored where it ends.
    vec3 grain = texture(u_grain, abs(fract(v_grain * 0.5) * 2.0 - 1.0), -0.6).rgb;
    c = c * grain * grain * 2.25 + u_key * sun * v_shine;
#else
    vec3 n = normalize(v_normal), eye = normalize(u_eye - v_at);
    vec3 m = reflect(-eye, n), shine = u_key * sun * sixteenth_power(max(dot(m, u_window_direction), 0.0));
    float grazing = fourth_power(1.0 - clamp(dot(n, eye), 0.0, 1.0));
    // Metal reflects in its own colour.
    vec3 metal = v_albedo * (shine * 2.2 + ambient(m) * 0.7) + v_albedo * grazing * 0.8;
    vec3 polished = c + v_gloss * (shine + 0.8 * u_sky * grazing * sky);
    c = v_gloss >= 1.0 ? c * 0.45 + metal : polished;
#endif
    f_colour = vec4(output_colour(c), v_alpha);
}

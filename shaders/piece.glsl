// Objects on the table: wood and cloth, plain or painted. Lit per vertex, which is faster in software GL: there are far
// fewer vertices than pixels.
// -- vertex
#include "light.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec2 in_sky_and_material;           // sky visibility; material: 0 plank, 1 turned wood, 2 cloth, 3 cord, 4 paint, 5 dark, 6 pale, 7 stone, 8 straw, 9 clay, 10 fur
in vec3 in_outline_offset;             // screen-space offset of the outline (antialiasing); opacity there
uniform mat4 u_view;
uniform mat4 u_model;
uniform vec2 u_half_size;              // half the width and depth of objects that come in any size
uniform vec4 u_light_map_area;         // centre and half size of the light map
uniform float u_table_z;
uniform vec3 u_colour;
uniform vec3 u_cord_colour;
uniform vec3 u_paint_colour;
uniform float u_light_wrap;            // how far light wraps around: cloth is slightly translucent
uniform float u_gloss;
uniform sampler2D u_shaded_light_map;  // light map of the table, with the shadows of these objects
uniform vec3 u_table_window_light;     // light that the table reflects: from the window and, in u_table_sky_light, from the sky
uniform vec3 u_table_sky_light;
out vec2 v_grain;
out vec3 v_window_light;               // light from the window; v_sky_light: from the sky
out vec3 v_sky_light;
out float v_gloss;
out vec3 v_light_map;                  // light map coordinates, and how much the light map counts
out float v_coverage;
out float v_painted;
void main() {
    vec3 p = in_position, a = abs(in_normal);
    p.xy += sign(p.xy) * (u_half_size - 1.0);
    // Planks show long grain on all sides; turned objects show the single plank they were made from.
    vec2 across = a.z > 0.6 ? p.xy : a.x > a.y ? vec2(p.y, p.z + 1.7) : vec2(p.x, p.z - 1.3);
    int material = int(in_sky_and_material.y + 0.5);
    v_grain = material == 0 ? across / 8.0 + 0.5 : material == 1 ? vec2(p.x, p.y + 0.6 * p.z) / 8.0 + 0.4
        : material == 8 ? vec2(0.1 * length(p.xy) - 0.25 * p.z, 0.9 * atan(p.x, -p.y))  // straw runs down the slope
        : p.xy * 0.42 + p.z * vec2(0.3, 0.1);
    vec3 n = normalize(mat3(u_model) * in_normal);
    vec4 at = u_model * vec4(p, 1.0);
    // Marbles cast shadows on flat, low surfaces: read the light map where the ray from the window would reach the table.
    float height = at.z - u_table_z;
    vec2 thrown = at.xy - u_window_direction.xy / u_window_direction.z * height;
    v_light_map = vec3((thrown - u_light_map_area.xy) / u_light_map_area.zw * 0.5 + 0.5, smoothstep(0.2, 0.5, n.z) * smoothstep(0.5, 0.3, height));
    vec3 paint = material == 5 ? vec3(0.0194, 0.0176, 0.0137) : material == 6 ? vec3(0.855, 0.807, 0.716)
        : material == 7 ? vec3(0.34, 0.315, 0.27) : material == 8 ? vec3(0.56, 0.385, 0.14)
        : material == 9 ? vec3(0.50, 0.29, 0.16) : material == 10 ? vec3(0.36, 0.235, 0.115) : u_paint_colour;
    v_painted = material < 4 || material == 8 ? 0.0 : material == 7 ? 0.35 : material >= 9 ? 0.65 : 1.0;
    vec3 albedo = 2.25 * (material >= 4 ? paint : material == 3 ? u_cord_colour : u_colour);
    float key = clamp((dot(n, u_window_direction) + u_light_wrap) / (1.0 + u_light_wrap), 0.0, 1.0) * mix(0.4, 1.0, in_sky_and_material.x);
    vec3 reaches = pool_light(at.xy);
    v_window_light = albedo * u_key * key * reaches;
    // The table next to the object reflects light onto its sides, most strongly at the bottom.
    vec2 beside = at.xy + n.xy * 0.4;
    vec4 there = textureLod(u_shaded_light_map, (beside - u_light_map_area.xy) / u_light_map_area.zw * 0.5 + 0.5, 0.0);
    vec3 back = (u_table_window_light * window_in(there) + u_table_sky_light * sky_in(there)) * reaches;
    back *= 0.42 * clamp(1.0 - height / 0.8, 0.0, 1.0) * (1.0 - max(n.z, 0.0));
    v_sky_light = albedo * (ambient(n) * in_sky_and_material.x + back);
    v_gloss = u_gloss * pow(max(dot(n, normalize(u_window_direction + normalize(u_eye - at.xyz))), 0.0), 16.0);
    v_coverage = in_outline_offset.z;
    gl_Position = u_view * at;
    gl_Position.xy += in_outline_offset.xy * gl_Position.w;
}
// -- fragment
#include "light.glsl"
in vec2 v_grain;
in vec3 v_window_light;
in vec3 v_sky_light;
in float v_gloss;
in vec3 v_light_map;
in float v_coverage;
in float v_painted;
out vec4 f_colour;
uniform sampler2D u_grain;
uniform sampler2D u_table_light_map;  // light map of the table without the shadows of these objects
uniform float u_alpha;
void main() {
    // Paint hides the grain.
    vec3 grain = mix(texture(u_grain, v_grain, -0.6).rgb, vec3(0.6667), v_painted);
    vec4 lit = texture(u_table_light_map, v_light_map.xy);
    float sky = mix(1.0, sky_in(lit), v_light_map.z);
    WINDOW_TYPE sun = mix(WINDOW_TYPE(1.0), window_in(lit), v_light_map.z) * mix(0.55, 1.0, sky);
    vec3 c = grain * grain * (v_window_light * sun + v_sky_light * sky) + u_key * (v_gloss * sun);
    f_colour = vec4(output_colour(c), v_coverage * u_alpha);
}

// Plain objects on a table, instanced: boxes, discs, octagons, balls.
// -- vertex
#include "light.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec4 in_base;         // centre of the base; opacity
in vec4 in_size;         // half the width and depth, height; relative width of the top
in vec4 in_colour;       // linear colour of the top; alpha 1 = receives shadows
in vec3 in_side_colour;  // colour of the sides
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
void main() {
    float wide = mix(1.0, in_size.w, in_position.z);
    vec3 p = vec3(in_position.xy * in_size.xy * wide, (in_position.z - 0.5) * in_size.z);
    vec3 n = in_normal / max(in_size.xyz * vec3(1.0, 1.0, 0.5), 1e-4);
    if (abs(in_normal.z) < 0.5) n.z += (1.0 - in_size.w) / max(in_size.z, 1e-4);
    mat3 stands = mat3(in_axis_x, in_axis_y, in_axis_z);
    n = normalize(stands * n);
    vec3 at = stands * p + in_base.xyz + vec3(0.0, 0.0, in_size.z * 0.5);
    vec3 albedo = in_normal.z > 0.5 ? in_colour.rgb : in_side_colour;
    float key = clamp((dot(n, u_window_direction) + 0.08) / 1.08, 0.0, 1.0);
    vec3 reaches = pool_light(at.xy);
    v_window_light = albedo * u_key * key * reaches;
    v_sky_light = albedo * ambient(n) * reaches;
    vec2 thrown = at.xy - u_window_direction.xy / u_window_direction.z * (at.z - u_table_z);
    v_light_map = vec3((thrown - u_light_map_area.xy) / u_light_map_area.zw * 0.5 + 0.5, in_colour.a * step(0.7, n.z));
    v_alpha = in_base.w;
    gl_Position = u_view * vec4(at, 1.0);
}
// -- fragment
#include "light.glsl"
in vec3 v_window_light;
in vec3 v_sky_light;
in vec3 v_light_map;
flat in float v_alpha;
out vec4 f_colour;
uniform sampler2D u_shaded_light_map;
void main() {
    vec4 lit = texture(u_shaded_light_map, v_light_map.xy);
    WINDOW_TYPE sun = mix(WINDOW_TYPE(1.0), window_in(lit), v_light_map.z);
    float sky = mix(1.0, sky_in(lit), v_light_map.z);
    f_colour = vec4(output_colour(v_window_light * sun + v_sky_light * sky), v_alpha);
}

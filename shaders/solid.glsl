// Plain objects on a table, instanced: boxes, discs, octagons, balls.
// -- vertex
#include "light.glsl"
in vec3 in_position;
in vec3 in_normal;
in vec4 in_at;       // centre of the base; opacity
in vec4 in_size;     // half the width and depth, height; relative width of the top
in vec4 in_colour;   // linear colour of the top; alpha 1 = receives shadows
in vec3 in_foot;     // colour of the sides
in vec3 in_east;     // axes of its orientation
in vec3 in_north;
in vec3 in_rise;
uniform mat4 u_view;
uniform vec4 u_domain;
uniform float u_table;
out vec3 v_window;
out vec3 v_sky;
out vec3 v_lit;
flat out float v_alpha;
void main() {
    float wide = mix(1.0, in_size.w, in_position.z);
    vec3 p = vec3(in_position.xy * in_size.xy * wide, (in_position.z - 0.5) * in_size.z);
    vec3 n = in_normal / max(in_size.xyz * vec3(1.0, 1.0, 0.5), 1e-4);
    if (abs(in_normal.z) < 0.5) n.z += (1.0 - in_size.w) / max(in_size.z, 1e-4);
    mat3 stands = mat3(in_east, in_north, in_rise);
    n = normalize(stands * n);
    vec3 at = stands * p + in_at.xyz + vec3(0.0, 0.0, in_size.z * 0.5);
    vec3 albedo = in_normal.z > 0.5 ? in_colour.rgb : in_foot;
    float key = clamp((dot(n, u_sun) + 0.08) / 1.08, 0.0, 1.0);
    vec3 reaches = pool(at.xy);
    v_window = albedo * u_key * key * reaches;
    v_sky = albedo * ambient(n) * reaches;
    vec2 thrown = at.xy - u_sun.xy / u_sun.z * (at.z - u_table);
    v_lit = vec3((thrown - u_domain.xy) / u_domain.zw * 0.5 + 0.5, in_colour.a * step(0.7, n.z));
    v_alpha = in_at.w;
    gl_Position = u_view * vec4(at, 1.0);
}
// -- fragment
#include "light.glsl"
in vec3 v_window;
in vec3 v_sky;
in vec3 v_lit;
flat in float v_alpha;
out vec4 f_colour;
uniform sampler2D u_shaded;
void main() {
    vec4 lit = texture(u_shaded, v_lit.xy);
    WINDOW sun = mix(WINDOW(1.0), window_in(lit), v_lit.z);
    float sky = mix(1.0, sky_in(lit), v_lit.z);
    f_colour = vec4(display(v_window * sun + v_sky * sky), v_alpha);
}

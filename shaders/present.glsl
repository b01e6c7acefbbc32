// Puts the picture, drawn at another size, on the screen; or one light map into another.
// -- vertex
in vec2 in_corner;
out vec2 v_uv;
void main() {
    v_uv = in_corner * 0.5 + 0.5;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_uv;
out vec4 f_colour;
uniform sampler2D u_picture;
void main() {
    f_colour = texture(u_picture, v_uv);
#ifdef HDR
    f_colour = vec4(shown(f_colour.rgb), 1.0);
#endif
}

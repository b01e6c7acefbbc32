// Puts the picture, drawn at another size, on the screen.
// -- vertex
in vec2 in_corner;
out vec2 v_uv;
void main() {
    v_uv = in_corner * 0.5 + 0.5;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
// -- fragment
in vec2 v_uv;
out vec4 f_colour;
uniform sampler2D u_picture;
void main() {
    f_colour = vec4(texture(u_picture, v_uv).rgb, 1.0);
}

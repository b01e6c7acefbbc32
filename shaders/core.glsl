// Depth of the marbles without their antialiased edges, so that what is hidden behind them isn't shaded.
// -- vertex
in vec2 in_corner;
in vec4 in_disc;  // centre of the marble, radius without its edge
uniform mat4 u_view;
uniform vec3 u_eye;
void main() {
    vec3 z = normalize(in_disc.xyz - u_eye);
    vec3 x = normalize(vec3(z.y, -z.x, 0.0) + vec3(1e-6, 0.0, 0.0));
    vec2 at = in_corner * in_disc.w;
    // Slightly behind the flat octagon on which the marble itself is drawn.
    gl_Position = u_view * vec4(in_disc.xyz + x * at.x + cross(x, z) * at.y + z * (0.1 * in_disc.w), 1.0);
}
// -- fragment
void main() {}

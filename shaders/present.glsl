// Copy the image, rendered at another size, to the screen. COPY: copy an image or a light map unchanged. ACCUMULATE: add an image
// to the average of several.
// -- vertex
in vec2 in_corner;
uniform float u_up = 1.0;  // -1 to turn the image upside down
out vec2 v_uv;
void main() {
    v_uv = in_corner * 0.5 + 0.5;
    gl_Position = vec4(in_corner.x, in_corner.y * u_up, 0.0, 1.0);
}
// -- fragment
#include "light.glsl"
in vec2 v_uv;
out vec4 f_colour;
uniform sampler2D u_image;
uniform float u_opacity;  // opacity over what is already there
void main() {
#ifdef COPY
    f_colour = texture(u_image, v_uv);
#else
    // A simple lookup of which only a part is used would make llvmpipe take a path on which it swaps red and blue.
    f_colour = textureLod(u_image, v_uv, 0.0);
#ifdef HDR
    f_colour.rgb = to_srgb(f_colour.rgb) + DITHER;
#endif
    f_colour.a = u_opacity;
#endif
}

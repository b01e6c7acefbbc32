// Lighting shared by all shaded programs: a soft window, a sky, and light bounced from below. Colours are linear.
uniform vec3 u_eye;
uniform vec3 u_window_direction;  // direction to the centre of the window
uniform vec3 u_window_side;       // directions along its width and its height
uniform vec3 u_window_up;
uniform vec3 u_key;               // light from the window
uniform vec3 u_sky;               // light from above
uniform vec3 u_bounce_light;      // light reflected by table and board
uniform vec3 u_pool;              // centre of the pool of light on the table, and its falloff
uniform vec3 u_far_brightness;    // remaining light far away from it

const float WINDOW_HALF_ANGLE = 0.17;  // half the angular size of the window, in radians: how fast shadows soften

// Fraction of the window that is still visible past a ball. to: ball centre minus point.
float window_visibility(vec3 to, float radius) {
    float t = dot(to, u_window_direction);
    if (t <= 0.0) return 1.0;
    float off = sqrt(max(dot(to, to) - t * t, 0.0));
    float soft = 0.05 + WINDOW_HALF_ANGLE * t;
    return smoothstep(radius - soft, radius + soft, off);
}

// Brightness of the pool of light at a point on the table, relative to its centre.
vec3 pool_light(vec2 at) {
    vec2 d = at - u_pool.xy;
    float near = 1.0 / (1.0 + u_pool.z * dot(d, d));
    return mix(u_far_brightness, vec3(1.0), near * near);
}

// Weight of shadows in the table's light map. It fades to 0 at the border, where there must be full light so that the
// border isn't visible.
float shadow_weight(vec2 place) {
    return smoothstep(0.985, 0.86, max(abs(place.x), abs(place.y)));
}

vec3 ambient(vec3 n) {
    return mix(u_bounce_light, u_sky, 0.5 + 0.5 * n.z) * (0.88 + 0.12 * dot(n, u_window_direction));
}

// Powers for highlights and reflections: pow() is slow in software GL.
float fourth_power(float x) {
    x *= x;
    return x * x;
}
float sixteenth_power(float x) { return fourth_power(fourth_power(x)); }

// Convert linear light to sRGB, compressing only values brighter than paper.
vec3 to_srgb(vec3 c) {
    vec3 bright = max(c - 0.82, 0.0);
    c = min(c, 0.82) + bright / (1.0 + bright * 5.5);
    vec3 r = sqrt(c);
    return r * (1.164 - 0.155 * r) - 0.009;
}

// Dithering by up to half a display level, depending on the pixel; otherwise slow gradients would show bands.
#define DITHER ((fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0)

// Output colour of a program. With HDR the image stays linear until it is presented in the window.
vec3 output_colour(vec3 c) {
#ifdef HDR
    return c;
#else
    return to_srgb(c);
#endif
}

#ifdef HDR
// Inverse of to_srgb(): the linear light that is displayed as c.
vec3 from_srgb(vec3 c) {
    vec3 r = 3.755 - sqrt(max(14.1 - 6.452 * (c + 0.009), 0.0));
    return r * r;
}

// With HDR window light is RGB, because glass tints the light that passes through it.
#define WINDOW_TYPE vec3
#define window_in(lit) (lit).rgb
#define sky_in(lit) (lit).a
#else
#define WINDOW_TYPE float
#define window_in(lit) (lit).r
#define sky_in(lit) (lit).g
#endif

// Shared by the programs that shade: one soft window, a sky, a bounce from below. Colours are linear light.
uniform vec3 u_eye;
uniform vec3 u_sun;      // towards the middle of the window
uniform vec3 u_side;     // along its width, and along its height
uniform vec3 u_rise;
uniform vec3 u_key;      // light of the window
uniform vec3 u_sky;      // light from above and behind
uniform vec3 u_ground;   // light thrown back by table and board
uniform vec3 u_pool;     // middle of the light on the table, how fast it falls off
uniform vec3 u_rest;     // what is left of it far away

const float SPREAD = 0.17;  // half the angle of the window, radians: how fast shadows soften

// How much of the window a ball (centre minus point, radius) leaves in sight.
float past(vec3 to, float radius) {
    float t = dot(to, u_sun);
    if (t <= 0.0) return 1.0;
    float off = sqrt(max(dot(to, to) - t * t, 0.0));
    float soft = 0.05 + SPREAD * t;
    return smoothstep(radius - soft, radius + soft, off);
}

// How much light reaches a place of the table.
vec3 pool(vec2 at) {
    vec2 d = at - u_pool.xy;
    float near = 1.0 / (1.0 + u_pool.z * dot(d, d));
    return mix(u_rest, vec3(1.0), near * near);
}

// Within the light map of the table: it ends in full light, so that there is nothing to be seen of its border.
float inner(vec2 place) {
    return smoothstep(0.985, 0.86, max(abs(place.x), abs(place.y)));
}

vec3 ambient(vec3 n) {
    return mix(u_ground, u_sky, 0.5 + 0.5 * n.z) * (0.88 + 0.12 * dot(n, u_sun));
}

// Linear light to sRGB; only what is brighter than paper is bent.
vec3 shown(vec3 c) {
    vec3 bright = max(c - 0.82, 0.0);
    c = min(c, 0.82) + bright / (1.0 + bright * 5.5);
    vec3 r = sqrt(c);
    return r * (1.164 - 0.155 * r) - 0.009;
}

// Half a step of what a screen shows, up or down by the place: what fades slowly would have bands.
#define DITHER ((fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0)

// What a program writes: with HDR the picture stays in linear light until it goes to the window.
vec3 display(vec3 c) {
#ifdef HDR
    return c;
#else
    return shown(c);
#endif
}

#ifdef HDR
// The light that is shown as c.
vec3 unshown(vec3 c) {
    vec3 r = 3.755 - sqrt(max(14.1 - 6.452 * (c + 0.009), 0.0));
    return r * r;
}

// Glass colours the light that falls through it.
#define WINDOW vec3
#define window_in(lit) (lit).rgb
#define sky_in(lit) (lit).a
#else
#define WINDOW float
#define window_in(lit) (lit).r
#define sky_in(lit) (lit).g
#endif

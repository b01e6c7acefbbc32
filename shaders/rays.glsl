// What a ray from a marble meets: its own neighbours, the board, the table and the room, no more.
#ifdef HDR
uniform sampler2D u_near;           // a line for each marble: its neighbours, two texels each: sphere; colour, how lit
uniform sampler2D u_top;            // grain of the board
uniform sampler2D u_board_light;
uniform vec4 u_board;               // middle, half its side, coordinate of the outermost holes
uniform vec3 u_board_colour;
uniform sampler2D u_grain;          // of the table
uniform sampler2D u_table_light;
uniform vec2 u_domain;              // half the area that the light map of the table covers
uniform vec3 u_table_colour;
uniform vec3 u_heights;             // of the board and of the table; radius of a hole
const int NEAR = 16;
const float DENSE = 1.5;            // how much slower light is in glass

// The light that falls on a level place, of a map that knows what is in sight there.
vec3 falls(vec4 light) {
    return u_key * light.rgb * (u_sun.z * mix(0.6, 1.0, light.a)) + ambient(vec3(0.0, 0.0, 1.0)) * light.a;
}

vec3 plane(vec3 colour, vec3 grain, vec4 light) {
    return colour * grain * grain * 2.25 * falls(light);
}

// What a level plane below throws up to a marble.
vec3 from_below(vec2 at, float height) {
    if (height < u_heights.x - 0.1) return u_table_colour * falls(texture(u_table_light, at / u_domain * 0.5 + 0.5)) * pool(at);
    return u_board_colour * falls(texture(u_board_light, (at - u_board.xy) / u_board.z * 0.5 + 0.5));
}

// Board, table or what is above them, which is the_sky: linear light.
vec3 ground(vec3 from, vec3 way, vec3 the_sky) {
    if (way.z > -0.01) return the_sky;
    vec2 p = from.xy + way.xy * ((u_heights.x - from.z) / way.z) - u_board.xy;
    if (max(abs(p.x), abs(p.y)) < u_board.z && from.z > u_heights.x) {
        vec2 uv = p / u_board.z * 0.5 + 0.5;
        vec2 hole = p - (clamp(round(p + u_board.w), 0.0, 2.0 * u_board.w) - u_board.w);
        float dish = smoothstep(u_heights.z + 0.03, u_heights.z - 0.06, length(hole));
        return plane(u_board_colour, textureLod(u_top, uv, 1.0).rgb, texture(u_board_light, uv)) * (1.0 - 0.45 * dish);
    }
    p = from.xy + way.xy * ((u_heights.y - from.z) / way.z);
    // What is met under the board is its side.
    if (max(abs(p.x - u_board.x), abs(p.y - u_board.y)) < u_board.z) return u_board_colour * ambient(vec3(0.0)) * 0.8;
    vec4 light = texture(u_table_light, p / u_domain * 0.5 + 0.5);
    vec3 table = plane(u_table_colour, textureLod(u_grain, p * 0.21, 2.0).rgb, light) * pool(p);
    return mix(the_sky, table, smoothstep(-0.01, -0.08, way.z));
}

// What a ray meets outside: linear light.
vec3 beyond(vec3 from, vec3 way, int row, vec3 the_sky) {
    float nearest = 1e9, solid = 0.0;
    vec3 sphere = vec3(0.0);
    vec4 colour = vec4(0.0);
    for (int i = 0; i < NEAR; i++) {
        vec4 ball = texelFetch(u_near, ivec2(2 * i, row), 0);
        if (ball.w <= 0.0) break;
        vec3 to = ball.xyz - from;
        float t = dot(to, way), inside = ball.w * ball.w - dot(to, to) + t * t;
        float hit = t - sqrt(max(inside, 0.0));
        if (inside > 0.0 && hit > 0.0 && hit < nearest) {
            nearest = hit;
            solid = smoothstep(0.0, 0.02, inside);
            sphere = ball.xyz;
            colour = texelFetch(u_near, ivec2(2 * i + 1, row), 0);
        }
    }
    vec3 c = ground(from, way, the_sky);
    if (solid > 0.0) {
        vec3 n = normalize(from + way * nearest - sphere);
        float key = clamp((dot(n, u_sun) + 0.22) / 1.22, 0.0, 1.0);
        c = mix(c, colour.rgb * (u_key * (0.8 * key * sqrt(key) * colour.a) + ambient(n) * 0.7), solid);
    }
    return c;
}

// How open the sky is, seen from a marble at p with normal n, and what light neighbours throw there.
float openness(vec3 p, vec3 n, int row, out vec3 thrown) {
    float open = 1.0;
    thrown = vec3(0.0);
    for (int i = 0; i < NEAR; i++) {
        vec4 ball = texelFetch(u_near, ivec2(2 * i, row), 0);
        if (ball.w <= 0.0) break;
        vec3 to = ball.xyz - p;
        float away = length(to), s = min(ball.w / away, 1.0);
        vec3 way = to / away;
        float nl = dot(n, way), q = clamp((nl + s) / (2.0 * s), 0.0, 1.0);
        float part = s * s * (nl > s ? nl : s * q * q);
        vec4 colour = texelFetch(u_near, ivec2(2 * i + 1, row), 0);
        float key = clamp(0.34 - 0.6 * dot(way, u_sun), 0.0, 1.0) * colour.a;
        thrown += colour.rgb * (part * open) * (u_key * key + u_sky * 0.5);
        open *= 1.0 - part;
    }
    return open;
}

// Where the ray that meets a sphere of radius r at n leaves it: the way on. Total reflection cannot happen.
vec3 refracted(vec3 ray, vec3 n, out vec3 leaves, out float path) {
    vec3 inner = refract(ray, n, 1.0 / DENSE);
    path = -2.0 * dot(inner, n);
    leaves = n + inner * path;
    return refract(inner, -leaves, DENSE);
}
#endif

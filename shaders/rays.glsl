// Ray tracing from marbles. A ray can hit only the marble's own neighbours, the board, the table and the room.
#ifdef HDR
uniform sampler2D u_neighbours;            // a row per marble with its neighbours, two texels each: sphere; colour, illumination
uniform sampler2D u_board_texture;         // texture of the board
uniform sampler2D u_board_light_map;
uniform vec4 u_board;                      // centre, half the side length, coordinate of the outermost holes
uniform vec3 u_board_colour;
uniform sampler2D u_table_texture;         // texture of the table
uniform sampler2D u_table_light_map;
uniform vec2 u_light_map_area;             // half the extent of the table's light map
uniform vec3 u_table_colour;
uniform vec3 u_heights;                    // height of the board, height of the table, radius of a hole
const int MAX_NEIGHBOURS = 16;
const float GLASS_REFRACTIVE_INDEX = 1.5;

// Light on a horizontal surface, given its visibility from a light map.
vec3 horizontal_light(vec4 light) {
    return u_key * light.rgb * (u_window_direction.z * mix(0.6, 1.0, light.a)) + ambient(vec3(0.0, 0.0, 1.0)) * light.a;
}

vec3 surface_colour(vec3 colour, vec3 grain, vec4 light) {
    return colour * grain * grain * 2.25 * horizontal_light(light);
}

// Light that the surface below reflects up to a marble.
vec3 from_below(vec2 at, float height) {
    if (height < u_heights.x - 0.1) return u_table_colour * horizontal_light(texture(u_table_light_map, at / u_light_map_area * 0.5 + 0.5)) * pool_light(at);
    return u_board_colour * horizontal_light(texture(u_board_light_map, (at - u_board.xy) / u_board.z * 0.5 + 0.5));
}

// Linear light along a ray that hits the board or the table; the_sky if it goes above them.
vec3 trace_ground(vec3 from, vec3 way, vec3 the_sky) {
    if (way.z > -0.01) return the_sky;
    vec2 p = from.xy + way.xy * ((u_heights.x - from.z) / way.z) - u_board.xy;
    if (max(abs(p.x), abs(p.y)) < u_board.z && from.z > u_heights.x) {
        vec2 uv = p / u_board.z * 0.5 + 0.5;
        vec2 hole = p - (clamp(round(p + u_board.w), 0.0, 2.0 * u_board.w) - u_board.w);
        float dish = smoothstep(u_heights.z + 0.03, u_heights.z - 0.06, length(hole));
        return surface_colour(u_board_colour, textureLod(u_board_texture, uv, 1.0).rgb, texture(u_board_light_map, uv)) * (1.0 - 0.45 * dish);
    }
    p = from.xy + way.xy * ((u_heights.y - from.z) / way.z);
    // Below the board's outline, the ray hits the board's side.
    if (max(abs(p.x - u_board.x), abs(p.y - u_board.y)) < u_board.z) return u_board_colour * ambient(vec3(0.0)) * 0.8;
    vec4 light = texture(u_table_light_map, p / u_light_map_area * 0.5 + 0.5);
    vec3 table = surface_colour(u_table_colour, textureLod(u_table_texture, p * 0.21, 2.0).rgb, light) * pool_light(p);
    return mix(the_sky, table, smoothstep(-0.01, -0.08, way.z));
}

// Linear light along a ray outside the marble.
vec3 trace_ray(vec3 from, vec3 way, int row, vec3 the_sky) {
    float nearest = 1e9, solid = 0.0;
    vec3 sphere = vec3(0.0);
    vec4 colour = vec4(0.0);
    for (int i = 0; i < MAX_NEIGHBOURS; i++) {
        vec4 ball = texelFetch(u_neighbours, ivec2(2 * i, row), 0);
        if (ball.w <= 0.0) break;
        vec3 to = ball.xyz - from;
        float t = dot(to, way), inside = ball.w * ball.w - dot(to, to) + t * t;
        float hit = t - sqrt(max(inside, 0.0));
        if (inside > 0.0 && hit > 0.0 && hit < nearest) {
            nearest = hit;
            solid = smoothstep(0.0, 0.02, inside);
            sphere = ball.xyz;
            colour = texelFetch(u_neighbours, ivec2(2 * i + 1, row), 0);
        }
    }
    vec3 c = trace_ground(from, way, the_sky);
    if (solid > 0.0) {
        vec3 n = normalize(from + way * nearest - sphere);
        float key = clamp((dot(n, u_window_direction) + 0.22) / 1.22, 0.0, 1.0);
        c = mix(c, colour.rgb * (u_key * (0.8 * key * sqrt(key) * colour.a) + ambient(n) * 0.7), solid);
    }
    return c;
}

// Ambient occlusion at point p of a marble with normal n; thrown receives the light reflected by neighbours.
float ambient_visibility(vec3 p, vec3 n, int row, out vec3 thrown) {
    float open = 1.0;
    thrown = vec3(0.0);
    for (int i = 0; i < MAX_NEIGHBOURS; i++) {
        vec4 ball = texelFetch(u_neighbours, ivec2(2 * i, row), 0);
        if (ball.w <= 0.0) break;
        vec3 to = ball.xyz - p;
        float away = length(to), s = min(ball.w / away, 1.0);
        vec3 way = to / away;
        float nl = dot(n, way), q = clamp((nl + s) / (2.0 * s), 0.0, 1.0);
        float part = s * s * (nl > s ? nl : s * q * q);
        vec4 colour = texelFetch(u_neighbours, ivec2(2 * i + 1, row), 0);
        float key = clamp(0.34 - 0.6 * dot(way, u_window_direction), 0.0, 1.0) * colour.a;
        thrown += colour.rgb * (part * open) * (u_key * key + u_sky * 0.5);
        open *= 1.0 - part;
    }
    return open;
}

// Direction of a ray after it has passed through a glass sphere, which it enters at normal n. leaves: normal where it
// leaves; path: length of its path inside, in sphere radii. Total internal reflection cannot occur.
vec3 refract_through(vec3 ray, vec3 n, out vec3 leaves, out float path) {
    vec3 inner = refract(ray, n, 1.0 / GLASS_REFRACTIVE_INDEX);
    path = -2.0 * dot(inner, n);
    leaves = n + inner * path;
    return refract(inner, -leaves, GLASS_REFRACTIVE_INDEX);
}
#endif

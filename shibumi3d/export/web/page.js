"use strict";
((run) => {
  // Long matches are compressed with zlib and encoded in base64.
  const source = document.getElementById("data");
  const tooOld = source.dataset.packed;
  if (tooOld === undefined) {
    run(JSON.parse(source.textContent));
    return;
  }
  if (!window.DecompressionStream) {
    document.body.textContent = tooOld;
    return;
  }
  const bytes = Uint8Array.from(atob(source.textContent), (each) => each.charCodeAt(0));
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json().then(run);
})((data) => {
  const words = data.words;
  const byId = (id) => document.getElementById(id);
  const beside = matchMedia("(min-width: 1000px)"); // room for the plan beside the scene
  const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const STILL_SECONDS = 1.1; // from the end of a turn to the next one, while playing
  const ICONS = {
    first: "M4 4h3v16H4zM20 4v16L8 12z",
    previous: "M17 4v16L6 12z",
    play: "M6 4l14 8-14 8z",
    pause: "M6 4h4v16H6zM14 4h4v16h-4z",
    next: "M7 4v16l11-8z",
    last: "M17 4h3v16h-3zM4 4v16l12-8z",
  };
  const problem = data.problem || null;
  let steps = data.steps; // those that can be shown; while a problem is being solved, those made so far
  let node = problem && problem.start; // possible moves at this point of the solver's turn, with what they lead to
  let step = 0; // number of turns shown
  let playing = false;
  let timer = 0;
  let view = null; // draws the position: the scene, the plan or both

  // Boards: where the marbles are after each turn, and how they move.

  const boards = data.boards || [];
  const isEmpty = (mark) => mark === ".";
  const marblesAt = (index) => {
    const found = [];
    steps[index].boards.forEach((marks, board) => {
      [...marks].forEach((mark, point) => {
        if (!isEmpty(mark)) found.push({ board, point, colour: parseInt(mark, 36), at: [...boards[board].points[point]] });
      });
    });
    return found;
  };

  const DURATION = { place: 0.42, enter: 0.42, move: 0.5, take: 0.5, push: 0.3, drop: 0.26, recolour: 0 };
  const TOGETHER = ["drop", "push"]; // consecutive motions of one of these kinds happen at the same time

  // The motions of a turn, each with its start and end in seconds and the marble that it moves.
  const timelineOf = (index) => {
    const marbles = marblesAt(index - 1);
    const find = (board, point) => marbles.find((marble) => marble.board === board && marble.point === point && !marble.gone);
    const track = [];
    let start = 0;
    let end = 0;
    let before = "";
    for (const [kind, board, from, to, colour] of steps[index].motions) {
      if (!(TOGETHER.includes(kind) && kind === before)) start = end;
      before = kind;
      const points = boards[board].points;
      let marble = from >= 0 ? find(board, from) : undefined;
      let begin;
      let target;
      if (kind === "recolour") {
        if (marble) track.push({ kind, marble, start, end: start, colour });
        continue;
      }
      if (kind === "place" || kind === "enter" || !marble) {
        if (to < 0) continue;
        target = points[to];
        const half = boards[board].size / 2 + 1.2;
        begin = kind === "enter" ? outside(target, boards[board].centre, half) : [target[0], target[1], target[2] + 2.6];
        marble = { board, point: to, colour, at: begin, from: start };
        marbles.push(marble);
      } else if (kind === "take") {
        begin = points[from];
        target = [begin[0] + 0.4, boards[board].centre[1] - boards[board].size / 2 - 5, begin[2] + 3];
        marble.gone = true;
      } else {
        begin = points[from];
        target = points[to];
        marble.point = to;
      }
      end = Math.max(end, start + DURATION[kind]);
      track.push({ kind, marble, begin, target, start, end: start + DURATION[kind] });
    }
    return { marbles, track, length: end };
  };

  const outside = (target, centre, half) => {
    const dx = target[0] - centre[0];
    const dy = target[1] - centre[1];
    return Math.abs(dx) > Math.abs(dy)
      ? [centre[0] + Math.sign(dx) * half, target[1], target[2]]
      : [target[0], centre[1] + Math.sign(dy) * half, target[2]];
  };

  // Positions of all marbles at a moment of a timeline.
  const marblesDuring = (timeline, now) => {
    const shown = new Map();
    for (const marble of timeline.marbles) {
      if (marble.from === undefined || now >= marble.from) {
        shown.set(marble, { board: marble.board, at: marble.at, colour: marble.colour });
      }
    }
    for (const { kind, marble, begin, target, start, end, colour } of timeline.track) {
      if (now < start || !shown.has(marble)) continue;
      const state = shown.get(marble);
      if (kind === "recolour") {
        state.colour = colour;
        continue;
      }
      const t = Math.min(1, (now - start) / (end - start));
      if (kind === "take" && t === 1) {
        shown.delete(marble);
        continue;
      }
      state.at = pathAt(kind, begin, target, t);
    }
    return [...shown.values()];
  };

  const pathAt = (kind, a, b, t) => {
    const s = kind === "drop" || kind === "place" ? t * t : t * t * (3 - 2 * t);
    const at = a.map((value, axis) => value + (b[axis] - value) * s);
    if (kind === "move") at[2] += Math.sin(Math.PI * t) * (1 + Math.abs(a[2] - b[2]));
    return at;
  };

  // Words

  const describePosition = (index) => {
    const lines = [];
    boards.forEach((board, number) => {
      const levels = new Map();
      [...steps[index].boards[number]].forEach((mark, point) => {
        if (isEmpty(mark)) return;
        const level = board.levels[point];
        const colour = data.colours[parseInt(mark, 36)].name;
        if (!levels.has(level)) levels.set(level, new Map());
        const points = levels.get(level);
        if (!points.has(colour)) points.set(colour, []);
        points.get(colour).push(board.names[point]);
      });
      for (const [level, points] of levels) {
        const parts = [...points].map(([colour, names]) => `${colour} ${names.join(", ")}`);
        const name = boards.length > 1 ? `${board.name}, ` : "";
        lines.push(`${name}${words.levels[level]}: ${parts.join("; ")}`);
      }
    });
    return lines.length ? lines : [words.empty];
  };

  // Drawing: the flat plan

  const SVG = "http://www.w3.org/2000/svg";
  const element = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  };

  let inColumn = false; // whether the plan is a column beside the scene

  const planView = (host) => {
    const picture = element("svg", { role: "img", preserveAspectRatio: "xMidYMid meet" });
    host.append(picture);
    const gap = 0.7;
    const head = boards.length > 1 ? 0.5 : 0;
    const size = boards.length ? boards[0].size : 0;
    // The top left corner of a level. In a column beside the scene, the highest level is at the top, as on the table.
    const cornerOf = (number, level) => {
      const side = size - level;
      if (!inColumn) {
        const left = level * (size + gap) - (level * (level - 1)) / 2;
        return [left, number * (head + size + 0.9) + head + level];
      }
      const above = size - 1 - level;
      return [number * (size + gap) + (size - side) / 2, head + above * gap + (above * (above + 1)) / 2];
    };
    const draw = () => {
      picture.replaceChildren();
      let top = 0;
      let wide = 0;
      boards.forEach((board, number) => {
        const [, firstTop] = cornerOf(number, inColumn ? size - 1 : 0);
        const boardLeft = inColumn ? number * (size + gap) : 0;
        if (head) picture.append(element("text", { x: boardLeft, y: firstTop - 0.15 }, board.name));
        for (let level = 0; level < size; level += 1) {
          const side = size - level;
          const [left, low] = cornerOf(number, level);
          picture.append(element("rect", { x: left, y: low, width: side, height: side, rx: 0.18, fill: "var(--wood)" }));
          picture.append(element("text", { x: left, y: low + side + 0.42 }, words.levels[level]));
          board.levels.forEach((each, point) => {
            if (each !== level) return;
            const x = left + board.files[point] + 0.5;
            const y = low + side - 0.5 - board.ranks[point];
            const mark = steps[step].boards[number][point];
            if (isEmpty(mark)) picture.append(element("circle", { cx: x, cy: y, r: 0.1, fill: "var(--hole)" }));
            if (movesAt(number, point).length) {
              const target = element("circle", { cx: x, cy: y, r: 0.46, class: "open" });
              target.addEventListener("click", () => choosePoint(number, point));
              // After the marble, so that it isn't covered.
              queueMicrotask(() => picture.append(target));
            }
            if (isEmpty(mark)) return;
            const colour = data.colours[parseInt(mark, 36)];
            picture.append(element("circle", { cx: x, cy: y, r: 0.43, fill: colour.css, stroke: "#00000088", "stroke-width": 0.03 }));
            if (colour.sign) picture.append(element("path", { d: colour.sign, transform: `translate(${x} ${y})`, fill: colour.ink }));
            const touched = steps[step].last.some(([on, at]) => on === number && at === point);
            if (touched) picture.append(element("circle", { cx: x, cy: y, r: 0.47, fill: "none", stroke: "#c9a227", "stroke-width": 0.06 }));
          });
          wide = Math.max(wide, left + side);
          top = Math.max(top, low + side + 0.5);
        }
      });
      picture.setAttribute("viewBox", `-0.2 -0.2 ${wide + 0.4} ${top + 0.4}`);
      picture.setAttribute("aria-label", describePosition(step).join(". "));
    };
    return { hosts: [host], draw, animate: (timeline, done) => { draw(); done(); }, stop: () => {} };
  };

  // Each step is stored as a change: how many entries of the previous step remain at the start and at the end, followed
  // by the entries between them.
  const unpack = (key) => {
    let before = [];
    return data.steps.map(({ [key]: [start, end, ...middle] }) => {
      before = [...before.slice(0, start), ...middle, ...before.slice(before.length - end)];
      return before;
    });
  };
  const [plans, tables] = boards.length ? [[], []] : [unpack("plan"), unpack("table")];
  const tableLines = (index) => tables[index].map((line) => data.lines[line]);

  // Drawing: a table without marbles, from straight above

  const tableView = (host) => {
    const picture = element("svg", { role: "img", viewBox: data.view_box, preserveAspectRatio: "xMidYMid meet" });
    host.className = "table"; // light enough for dark lines, also at night
    host.append(picture);
    const draw = () => {
      // The elements come from the program and contain no text entered by users.
      picture.innerHTML = `<defs>${data.glyphs}</defs>` + plans[step].map((index) => data.elements[index]).join("");
      picture.setAttribute("aria-label", tableLines(step).join(". "));
    };
    return { hosts: [host], draw, animate: (timeline, done) => { draw(); done(); }, stop: () => {} };
  };

  // Drawing: the scene

  const MAX_CASTERS = 64; // marbles that cast shadows
  const MAX_HOLES = 100;

  const COMMON = `#version 300 es
    precision highp float;
    uniform vec4 marbles[${MAX_CASTERS}];
    uniform int count;
    uniform vec3 lamp;
    uniform float darkness;
    // How much of the lamp's light reaches a point, past the other marbles.
    float light_at(vec3 p, int self) {
      float lit = 1.0;
      for (int i = 0; i < ${MAX_CASTERS}; i += 1) {
        if (i >= count) break;
        if (i == self) continue;
        vec3 to = marbles[i].xyz - p;
        float along = dot(to, lamp);
        if (along <= 0.0) continue;
        float miss = length(to - along * lamp);
        float blur = 0.05 + 0.12 * along;
        lit *= 1.0 - (1.0 - smoothstep(0.5 - blur, 0.5 + blur, miss)) * 0.85;
      }
      return lit;
    }
    // How much of the sky is visible from a point with normal n, past the other marbles.
    float sky_at(vec3 p, vec3 n, int self) {
      float open = 1.0;
      for (int i = 0; i < ${MAX_CASTERS}; i += 1) {
        if (i >= count) break;
        if (i == self) continue;
        vec3 to = marbles[i].xyz - p;
        float far = dot(to, to);
        if (far > 9.0) continue;
        open *= 1.0 - max(0.0, dot(n, to) / sqrt(far)) * clamp(0.25 / far, 0.0, 0.9) * 0.8;
      }
      return open;
    }`;

  const BALL_VERTEX = `#version 300 es
    in vec2 corner; in vec4 ball; in vec3 tint; in float number;
    uniform mat4 camera; uniform vec3 eye;
    out vec3 place; flat out vec3 centre; flat out vec3 colour; flat out int self;
    void main() {
      vec3 out_ = normalize(eye - ball.xyz);
      vec3 side = normalize(cross(vec3(0.0, 0.0, 1.0), out_));
      vec3 up = cross(out_, side);
      float reach = 0.5 / sqrt(1.0 - 0.25 / dot(eye - ball.xyz, eye - ball.xyz)) * 1.06;
      place = ball.xyz + (corner.x * side + corner.y * up) * reach + out_ * 0.5 * 0.0;
      centre = ball.xyz; colour = tint; self = int(number);
      gl_Position = camera * vec4(place, 1.0);
    }`;

  const BALL_FRAGMENT = `${COMMON}
    in vec3 place; flat in vec3 centre; flat in vec3 colour; flat in int self;
    uniform mat4 camera; uniform vec3 eye;
    out vec4 pixel;
    void main() {
      vec3 ray = normalize(place - eye);
      vec3 to = eye - centre;
      float b = dot(to, ray);
      float c = dot(to, to) - 0.25;
      float h = b * b - c;
      if (h < 0.0) discard;
      vec3 p = eye + (-b - sqrt(h)) * ray;
      vec3 n = (p - centre) * 2.0;
      float facing = max(0.0, dot(n, lamp));
      float lit = facing > 0.0 ? light_at(p, self) : 0.0;
      float sky = (0.55 + 0.45 * n.z) * sky_at(p, n, self);
      vec3 half_ = normalize(lamp - ray);
      float gloss = pow(max(0.0, dot(n, half_)), 90.0) * lit;
      float rim = pow(1.0 - max(0.0, dot(n, -ray)), 4.0);
      vec3 shade = colour * (0.9 * facing * lit + 0.5 * sky) * mix(1.0, 0.72, darkness);
      shade += vec3(0.75) * gloss + vec3(0.14) * rim * sky;
      vec4 clip = camera * vec4(p, 1.0);
      gl_FragDepth = clip.z / clip.w * 0.5 + 0.5;
      pixel = vec4(pow(shade, vec3(1.0 / 2.2)), 1.0);
    }`;

  const BOX_VERTEX = `#version 300 es
    in vec3 vertex; in vec3 normal;
    uniform mat4 camera;
    out vec3 place; out vec3 n;
    void main() { place = vertex; n = normal; gl_Position = camera * vec4(vertex, 1.0); }`;

  const BOX_FRAGMENT = `${COMMON}
    in vec3 place; in vec3 n;
    uniform vec2 holes[${MAX_HOLES}]; uniform int hole_count; uniform vec3 wood; uniform float top;
    uniform vec3 cloth; uniform float is_table; uniform float spread; uniform vec4 slabs[8]; uniform int slab_count;
    out vec4 pixel;
    float grain(float x) { return fract(sin(x * 12.9898) * 43758.5453); }
    float wave(float x) { float i = floor(x); return mix(grain(i), grain(i + 1.0), smoothstep(0.0, 1.0, x - i)); }
    void main() {
      vec3 normal = normalize(n);
      vec3 colour = wood;
      float sky = sky_at(place, normal, -1);
      float lit = light_at(place + normal * 0.01, -1);
      float alpha = 1.0;
      if (is_table > 0.5) {
        colour = cloth;
        for (int i = 0; i < 8; i += 1) {
          if (i >= slab_count) break;
          vec2 from = slabs[i].xy + lamp.xy * -0.25;
          vec2 away = max(abs(place.xy - from) - slabs[i].zw, 0.0);
          sky *= 1.0 - 0.5 * (1.0 - smoothstep(0.0, 0.9, length(away)));
        }
        alpha = 1.0 - smoothstep(spread * 0.45, spread * 0.98, length(place.xy));
      } else {
        float bands = wave(place.y * 9.0 + wave(place.x * 0.7) * 2.0) * 0.6 + wave(place.y * 31.0) * 0.4;
        colour *= 0.86 + 0.2 * bands;
        if (normal.z > 0.5) {
          for (int i = 0; i < ${MAX_HOLES}; i += 1) {
            if (i >= hole_count) break;
            vec2 d = place.xy - holes[i];
            float far = length(d);
            if (far < 0.31) {
              normal = normalize(vec3(-d * 2.4, 1.0));
              sky *= 0.42 + 0.5 * far / 0.31;
            } else {
              sky *= 1.0 - 0.15 * (1.0 - smoothstep(0.31, 0.36, far));
            }
          }
        }
      }
      vec3 shade = colour * (0.85 * max(0.0, dot(normal, lamp)) * lit + 0.5 * sky) * mix(1.0, 0.72, darkness);
      vec3 out_ = pow(shade, vec3(1.0 / 2.2));
      pixel = vec4(out_ * alpha, alpha);
    }`;

  const sceneView = (canvas) => {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!gl) return null;
    const compile = (vertex, fragment) => {
      const program = gl.createProgram();
      for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
        gl.attachShader(program, shader);
      }
      gl.linkProgram(program);
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
      return program;
    };
    let ball;
    let box;
    try {
      ball = compile(BALL_VERTEX, BALL_FRAGMENT);
      box = compile(BOX_VERTEX, BOX_FRAGMENT);
    } catch (error) {
      console.warn(error);
      return null;
    }
    const at = (program, name) => gl.getUniformLocation(program, name);
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    const balls = gl.createBuffer();
    const geometry = data.geometry;
    const spread = geometry.radius * 3.2;
    const boxes = boards.map((board) => {
      const half = board.size / 2 + geometry.margin;
      return [board.centre[0], board.centre[1], half, half];
    });
    const mesh = gl.createBuffer();
    const vertices = [];
    const face = (a, b, c, d, normal) => [a, b, c, a, c, d].forEach((v) => vertices.push(...v, ...normal));
    const z = geometry.table;
    face([-spread, -spread, z], [spread, -spread, z], [spread, spread, z], [-spread, spread, z], [0, 0, 1]);
    const tableVertices = vertices.length / 6;
    for (const [x, y, half] of boxes) {
      const [w, e, s, n, t] = [x - half, x + half, y - half, y + half, geometry.top];
      face([w, s, t], [e, s, t], [e, n, t], [w, n, t], [0, 0, 1]);
      face([w, s, z], [e, s, z], [e, s, t], [w, s, t], [0, -1, 0]);
      face([e, n, z], [w, n, z], [w, n, t], [e, n, t], [0, 1, 0]);
      face([e, s, z], [e, n, z], [e, n, t], [e, s, t], [1, 0, 0]);
      face([w, n, z], [w, s, z], [w, s, t], [w, n, t], [-1, 0, 0]);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
    const holes = boards.flatMap((board) => board.points.filter((point, index) => board.levels[index] === 0).map((p) => [p[0], p[1]])).slice(0, MAX_HOLES);
    const lamp = normalize([-0.45, 0.35, 0.82]);
    // What must be in the picture: the corners of the boards, and the outline of every marble in the match.
    const corners3d = boxes.flatMap(([x, y, half]) => [-half, half].flatMap((dx) => [-half, half].flatMap((dy) =>
      [z, geometry.top].map((height) => [x + dx, y + dy, height]))));
    const used = new Set();
    data.steps.forEach((each) => each.boards.forEach((marks, board) => [...marks].forEach((mark, point) => {
      if (!isEmpty(mark) || problem) used.add(boards[board].points[point]);
    })));
    const crowns = [...used].flatMap(([x, y, high]) => [[x, y, high + 0.5], [x - 0.5, y, high], [x + 0.5, y, high], [x, y - 0.5, high], [x, y + 0.5, high]]);
    const outline = [...corners3d, ...crowns];
    const MARGIN = 1.08;
    // The point to look at, and the distance of the eye from it in direction `back`, so that the outline just fits.
    const fit = (back, half, aspect) => {
      const side = normalize(cross([0, 0, 1], back));
      const up = cross(back, side);
      let aim = [0, 0, 0];
      let distance = 1;
      for (let round = 0; round < 4; round += 1) {
        const seen = outline.map((point) => {
          const from = point.map((value, axis) => value - aim[axis]);
          return [dot(from, side), dot(from, up), dot(from, back)];
        });
        distance = Math.max(...seen.map(([x, y, near]) => near + MARGIN * Math.max(Math.abs(x) / (half * aspect), Math.abs(y) / half)));
        const heights = seen.map(([, y, near]) => y / (distance - near));
        const widths = seen.map(([x, , near]) => x / (distance - near));
        const shiftUp = ((Math.max(...heights) + Math.min(...heights)) / 2) * distance;
        const shiftSide = ((Math.max(...widths) + Math.min(...widths)) / 2) * distance;
        aim = aim.map((value, axis) => value + up[axis] * shiftUp + side[axis] * shiftSide);
      }
      return { aim, distance };
    };
    let [yaw, pitch, zoom] = [-28, 38, 1];
    let frame = 0;
    let pose = null; // the camera of the last picture
    let running = null; // the timeline being shown, with its start and what to do after it

    const shown = () => (running ? marblesDuring(running.timeline, (performance.now() - running.begun) / 1000) : marblesAt(step));

    const draw = () => {
      frame = 0;
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      const [wide, high] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
      if (!wide || !high) return;
      if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
      const marbles = shown();
      gl.viewport(0, 0, wide, high);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      const aspect = wide / high;
      const half = Math.tan((26 * Math.PI) / 360);
      const [a, b] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
      const back = [Math.cos(b) * Math.sin(a), -Math.cos(b) * Math.cos(a), Math.sin(b)];
      const fitted = fit(back, half, aspect);
      const [aim, distance] = [fitted.aim, fitted.distance / zoom];
      const eye = aim.map((value, axis) => value + back[axis] * distance);
      pose = { eye, back, half, aspect };
      const camera = multiply(perspective(half, aspect, 0.5, distance * 4), lookAt(eye, aim));
      const casters = new Float32Array(MAX_CASTERS * 4);
      marbles.slice(0, MAX_CASTERS).forEach((marble, index) => casters.set([...marble.at, 0.5], index * 4));
      const common = (program) => {
        gl.useProgram(program);
        gl.uniformMatrix4fv(at(program, "camera"), false, camera);
        gl.uniform3fv(at(program, "eye"), eye);
        gl.uniform3fv(at(program, "lamp"), lamp);
        gl.uniform1f(at(program, "darkness"), dark.matches ? 1 : 0);
        gl.uniform4fv(at(program, "marbles"), casters);
        gl.uniform1i(at(program, "count"), Math.min(MAX_CASTERS, marbles.length));
      };
      common(box);
      gl.uniform3fv(at(box, "wood"), geometry.wood);
      gl.uniform3fv(at(box, "cloth"), dark.matches ? [0.03, 0.028, 0.027] : [0.56, 0.5, 0.42]);
      gl.uniform1f(at(box, "top"), geometry.top);
      gl.uniform1f(at(box, "spread"), spread);
      if (holes.length) gl.uniform2fv(at(box, "holes"), new Float32Array(holes.flat()));
      gl.uniform1i(at(box, "hole_count"), holes.length);
      gl.uniform4fv(at(box, "slabs"), new Float32Array(boxes.slice(0, 8).flat()));
      gl.uniform1i(at(box, "slab_count"), Math.min(8, boxes.length));
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh);
      attribute(box, "vertex", 3, 24, 0, 0);
      attribute(box, "normal", 3, 24, 12, 0);
      gl.uniform1f(at(box, "is_table"), 1);
      gl.drawArrays(gl.TRIANGLES, 0, tableVertices);
      gl.uniform1f(at(box, "is_table"), 0);
      gl.drawArrays(gl.TRIANGLES, tableVertices, vertices.length / 6 - tableVertices);
      if (marbles.length) {
        common(ball);
        gl.bindBuffer(gl.ARRAY_BUFFER, corners);
        attribute(ball, "corner", 2, 8, 0, 0);
        const rows = marbles.flatMap((marble, index) => [...marble.at, 0.5, ...data.colours[marble.colour].linear, index]);
        gl.bindBuffer(gl.ARRAY_BUFFER, balls);
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(rows), gl.DYNAMIC_DRAW);
        attribute(ball, "ball", 4, 32, 0, 1);
        attribute(ball, "tint", 3, 32, 16, 1);
        attribute(ball, "number", 1, 32, 28, 1);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, marbles.length);
      }
      if (running) {
        if ((performance.now() - running.begun) / 1000 >= running.timeline.length) {
          const { done } = running;
          running = null;
          done();
        }
        request();
      }
    };

    const attribute = (program, name, size, stride, offset, divisor) => {
      const place = gl.getAttribLocation(program, name);
      if (place < 0) return;
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(place, divisor);
    };
    const request = () => { if (!frame) frame = requestAnimationFrame(draw); };

    // The point under the pointer at which a move can be made, or undefined.
    const pick = (event) => {
      if (!pose) return undefined;
      const box = canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * 2 - 1;
      const y = 1 - ((event.clientY - box.top) / box.height) * 2;
      const side = normalize(cross([0, 0, 1], pose.back));
      const up = cross(pose.back, side);
      const ray = normalize(pose.back.map((value, axis) => side[axis] * x * pose.half * pose.aspect + up[axis] * y * pose.half - value));
      let nearest;
      const look = (at, found) => {
        const to = at.map((value, axis) => value - pose.eye[axis]);
        const along = dot(to, ray);
        const miss = dot(to, to) - along * along;
        if (along > 0 && miss < 0.25 && (!nearest || along < nearest.along)) nearest = { along, found };
      };
      marblesAt(step).forEach((marble) => look(marble.at, movesAt(marble.board, marble.point).length ? marble : undefined));
      openMoves().filter((move) => move.point >= 0 && isEmpty(steps[step].boards[move.board][move.point]))
        .forEach((move) => look(boards[move.board].points[move.point], move));
      return nearest && nearest.found;
    };

    const pointers = new Map();
    let dragged = 0; // in pixels, since the pointer was pressed
    canvas.addEventListener("pointerdown", (event) => {
      dragged = 0;
      pointers.set(event.pointerId, event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) {
        canvas.style.cursor = node && pick(event) ? "pointer" : "";
        return;
      }
      dragged += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (pointers.size === 1) turn(event.clientX - before.clientX, event.clientY - before.clientY);
      else {
        const other = [...pointers.values()].find((each) => each.pointerId !== event.pointerId);
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
        setZoom((zoom * apart(event)) / apart(before));
      }
      pointers.set(event.pointerId, event);
    });
    canvas.addEventListener("pointerup", (event) => {
      const found = dragged < 6 && node ? pick(event) : undefined;
      if (found) choosePoint(found.board, found.point);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); setZoom(zoom * Math.exp(-event.deltaY * 0.001)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] }[event.key];
      if (event.shiftKey && turns) { turn(...turns); event.preventDefault(); event.stopPropagation(); }
    });
    const turn = (dx, dy) => {
      yaw -= dx * 0.4;
      pitch = Math.max(12, Math.min(89, pitch + dy * 0.3));
      request();
    };
    const setZoom = (value) => { zoom = Math.max(0.6, Math.min(4, value)); request(); };
    new ResizeObserver(request).observe(canvas);
    dark.addEventListener("change", request);
    return {
      hosts: [canvas],
      draw: () => { running = null; canvas.setAttribute("aria-label", describePosition(step).join(". ")); request(); },
      animate: (timeline, done) => {
        canvas.setAttribute("aria-label", describePosition(step).join(". "));
        running = { timeline, begun: performance.now(), done };
        request();
      },
      stop: () => { running = null; },
    };
  };

  const normalize = (v) => { const n = Math.hypot(...v); return v.map((each) => each / n); };
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const perspective = (half, aspect, near, far) => [1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
  const lookAt = (eye, aim) => {
    const back = normalize(eye.map((value, axis) => value - aim[axis]));
    const side = normalize(cross([0, 0, 1], back));
    const up = cross(back, side);
    return [side[0], up[0], back[0], 0, side[1], up[1], back[1], 0, side[2], up[2], back[2], 0, -dot(side, eye), -dot(up, eye), -dot(back, eye), 1];
  };
  const multiply = (a, b) => {
    const made = new Array(16).fill(0);
    for (let column = 0; column < 4; column += 1)
      for (let row = 0; row < 4; row += 1)
        for (let k = 0; k < 4; k += 1) made[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    return made;
  };

  // Controls

  const lastStep = () => steps.length - 1;

  const show = (target, { animated = false } = {}) => {
    const before = step;
    step = Math.max(0, Math.min(lastStep(), target));
    clearTimeout(timer);
    const forward = animated && step === before + 1 && boards.length && !lessMotion.matches;
    if (forward) view.animate(timelineOf(step), continuePlaying);
    else {
      view.draw();
      continuePlaying();
    }
    update();
  };

  const continuePlaying = () => {
    clearTimeout(timer);
    if (!playing) return;
    if (step === lastStep()) setPlaying(false);
    else timer = setTimeout(() => show(step + 1, { animated: true }), STILL_SECONDS * 1000);
  };

  const setPlaying = (value) => {
    playing = value;
    clearTimeout(timer);
    setIcon("play", value ? "pause" : "play", value ? words.pause : words.play);
    if (value) show(step === lastStep() ? 0 : step + 1, { animated: step !== lastStep() });
  };

  const setIcon = (id, icon, label) => {
    const picture = element("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    picture.append(element("path", { d: ICONS[icon] }));
    byId(id).replaceChildren(picture);
    byId(id).setAttribute("aria-label", label);
    byId(id).title = label;
  };

  const update = () => {
    const caption = steps[step].caption;
    const verdict = problem ? message : data.result;
    byId("caption").textContent = step === lastStep() && verdict ? `${caption}\n${verdict}` : caption;
    byId("controls").hidden = byId("scrub").hidden = node !== null && lastStep() === 0;
    byId("scrub").max = lastStep();
    byId("scrub").value = step;
    byId("scrub").setAttribute("aria-valuetext", caption);
    byId("first").disabled = byId("previous").disabled = step === 0;
    byId("next").disabled = byId("last").disabled = step === lastStep();
    if (node) listMoves(openMoves());
    else markStep();
    byId("position").lastElementChild.replaceChildren(...(boards.length ? describePosition(step) : tableLines(step)).map((line) => {
      const row = document.createElement("li");
      row.textContent = line;
      return row;
    }));
  };

  // The list: the turns or, while a problem is being solved, the possible moves.

  const fillList = (texts, onClick) => {
    byId("moves").replaceChildren(...texts.map((text, index) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => onClick(index));
      row.append(button);
      return row;
    }));
  };

  const listSteps = () => {
    byId("moves").setAttribute("aria-label", words.moves);
    fillList(steps.map((each) => each.caption), (index) => { setPlaying(false); show(index); });
  };

  const markStep = () => {
    const list = byId("moves");
    [...list.children].forEach((row, index) => {
      const button = row.firstChild;
      if (index !== step) {
        button.removeAttribute("aria-current");
        return;
      }
      button.setAttribute("aria-current", "step");
      if (list.scrollHeight > list.clientHeight) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    });
  };

  const listMoves = (moves) => {
    byId("moves").setAttribute("aria-label", words.choose);
    fillList(moves.map((move) => move.label), (index) => choose(moves[index]));
  };

  // Problems: every move of the solver's turn is known, with what it leads to.

  let message = ""; // the verdict on the last try
  const openMoves = () => (node && step === lastStep() ? node.moves : []);
  const movesAt = (board, point) => openMoves().filter((move) => move.board === board && move.point === point);

  const choosePoint = (board, point) => {
    const moves = movesAt(board, point);
    if (moves.length === 1) choose(moves[0]);
    else if (moves.length) {
      listMoves(moves);
      byId("moves").querySelector("button").focus();
    }
  };

  const choose = (move) => {
    const first = steps.length;
    if (move.next) {
      node = move.next;
      steps = [...steps, node.step];
      message = "";
    } else if (move.end) {
      node = null;
      steps = [...steps, ...move.end.steps];
      message = move.end.text;
      byId("solution").hidden = move.end.right;
      listSteps();
    } else {
      // Proved to fail, but without a stored reply.
      message = `${move.label}: ${problem.failure}`;
      update();
      return;
    }
    byId("again").hidden = false;
    playing = steps.length > first + 1;
    setIcon("play", playing ? "pause" : "play", playing ? words.pause : words.play);
    show(first, { animated: true });
  };

  const restart = () => {
    setPlaying(false);
    steps = data.steps;
    node = problem.start;
    message = "";
    byId("again").hidden = true;
    byId("solution").hidden = false;
    show(0);
  };

  const showSolution = () => {
    restart();
    for (const index of problem.solution) choose(node.moves[index]);
  };

  const useView = (next) => {
    if (view) {
      view.stop();
      for (const host of view.hosts) host.hidden = true;
    }
    view = next;
    for (const host of view.hosts) host.hidden = false;
    view.draw();
  };

  document.querySelector("h1").textContent = data.title;
  byId("players").textContent = data.heading;
  byId("position").firstElementChild.textContent = words.position;
  byId("scrub").max = lastStep();
  byId("scrub").setAttribute("aria-label", words.turn);
  if (problem) {
    for (const [id, action] of [["again", restart], ["solution", showSolution]]) {
      byId(id).textContent = words[id];
      byId(id).addEventListener("click", action);
    }
    byId("solution").hidden = false;
  } else listSteps();
  for (const [id, target] of [["first", () => 0], ["previous", () => step - 1], ["next", () => step + 1], ["last", lastStep]]) {
    setIcon(id, id, words[id]);
    byId(id).addEventListener("click", () => { setPlaying(false); show(target(), { animated: id === "next" }); });
  }
  byId("play").addEventListener("click", () => setPlaying(!playing));
  byId("scrub").addEventListener("input", () => { setPlaying(false); show(Number(byId("scrub").value)); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inField = event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLButtonElement || event.target.tagName === "SUMMARY";
    const action = {
      ArrowRight: () => { setPlaying(false); show(step + 1, { animated: true }); },
      ArrowLeft: () => { setPlaying(false); show(step - 1); },
      Home: () => { setPlaying(false); show(0); },
      End: () => { setPlaying(false); show(lastStep()); },
      " ": () => setPlaying(!playing),
    }[event.key];
    if (!action || inField || (event.key === " " && onButton)) return;
    event.preventDefault();
    action();
  });

  const plan = boards.length ? planView(byId("plan")) : tableView(byId("plan"));
  const scene = boards.length ? sceneView(byId("scene")) : null;
  if (scene) {
    const button = byId("view");
    const both = {
      hosts: [...scene.hosts, ...plan.hosts],
      draw: () => { scene.draw(); plan.draw(); },
      animate: (timeline, done) => { plan.draw(); scene.animate(timeline, done); },
      stop: scene.stop,
    };
    let chosen = scene; // the view to show where there is room for only one
    const arrange = () => {
      inColumn = beside.matches;
      button.hidden = inColumn;
      button.textContent = chosen === scene ? words.plan : words.scene;
      byId("stage").classList.toggle("both", inColumn);
      byId("stage").style.setProperty("--boards", Math.min(2, boards.length));
      byId("plan").setAttribute("aria-hidden", inColumn); // the scene has the same description
      useView(inColumn ? both : chosen);
      continuePlaying();
    };
    button.addEventListener("click", () => { chosen = view === scene ? plan : scene; arrange(); });
    beside.addEventListener("change", arrange);
    arrange();
  } else useView(plan);
  setPlaying(false);
  show(0);
});

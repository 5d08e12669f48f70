/* Foundations of the report: its data, small helpers, theme, messages for screen readers. */

export const $ = (id) => document.getElementById(id);
export const state = { views: [], data: null };

/* An element with attributes and children; text children are never parsed as HTML. */
export function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

const svgSpace = 'http://www.w3.org/2000/svg';
export function makeSvg(tag, attributes, text) {
  const node = document.createElementNS(svgSpace, tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/* ---- data -------------------------------------------------------------------------------- */

const kinds = {
  i8: Int8Array,
  u8: Uint8Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
};

function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/* One compressed block holds all arrays and texts; the index says where each one lies. */
export async function readData() {
  const index = JSON.parse($('data-index').textContent);
  const buffer = await inflate(bytesOfBase64($('data-block').textContent.trim()));
  const data = { facts: index.facts };
  const decoder = new TextDecoder();
  for (const [name, kind, offset, length] of index.arrays) {
    if (kind === 'text') data[name] = decoder.decode(new Uint8Array(buffer, offset, length));
    else if (kind === 'lines') {
      const text = decoder.decode(new Uint8Array(buffer, offset, length));
      data[name] = text === '' ? [] : text.slice(0, -1).split('\n');
    } else data[name] = new kinds[kind](buffer, offset, length);
  }
  return data;
}

/* ---- colours ------------------------------------------------------------------------------- */

export function color(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue('--' + name)
    .trim();
}

export const palette = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'];
export const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
export const seriesColor = (k) => color(palette[k % palette.length]);

const isDark = () => document.documentElement.dataset.theme === 'dark';

export function redrawAll() {
  for (const view of state.views) view.draw();
}

/* The head of the page has set the theme before anything was drawn. */
export function setTheme(name) {
  document.documentElement.dataset.theme = name;
  $('theme').setAttribute('aria-pressed', String(name === 'dark'));
  redrawAll();
}

function chooseTheme(name) {
  setTheme(name);
  try {
    sessionStorage.setItem('daetool-theme', name);
  } catch (e) {
    /* private mode */
  }
}

export function startTheme() {
  const button = $('theme');
  button.hidden = false;
  button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => chooseTheme(isDark() ? 'light' : 'dark'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) =>
    setTheme(event.matches ? 'dark' : 'light'),
  );
}

/* ---- messages ------------------------------------------------------------------------------- */

/* What a pointer shows in a box is also told to screen readers, in one polite region. */
export function announce(text) {
  $('live').textContent = text;
}

export function showTip(x, y, ...children) {
  const tip = $('tip');
  tip.replaceChildren(...children);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth ? Math.max(4, x - 14 - box.width) : x + 14;
  const top = y + 14 + box.height > innerHeight ? Math.max(4, y - 14 - box.height) : y + 14;
  tip.style.left = left + 'px';
  tip.style.top = top + 'px';
}

export function hideTip() {
  $('tip').hidden = true;
}

/* ---- canvas ---------------------------------------------------------------------------------- */

/* Fits a canvas to its element and to the pixels of the screen; returns its context. */
export function fitCanvas(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function pointOf(event, canvas) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/* The wheel scrolls the page until a picture has been clicked or Ctrl is held. */
export function onWheelZoom(canvas, zoom, focused = canvas) {
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && document.activeElement !== focused) return;
      event.preventDefault();
      const [x, y] = pointOf(event, canvas);
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), x, y);
    },
    { passive: false },
  );
}

/* Dragging: begin() may refuse, move() gets the way since the last call and the place. */
export function onDrag(canvas, handlers) {
  let last = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !handlers.begin(event, ...pointOf(event, canvas))) return;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    last = pointOf(event, canvas);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (last === null) return;
    const [x, y] = pointOf(event, canvas);
    handlers.move(x - last[0], y - last[1], x, y);
    last = [x, y];
  });
  const end = (event) => {
    if (last === null) return;
    last = null;
    handlers.end(...pointOf(event, canvas), event);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

export function shorten(text, most) {
  return text.length <= most ? text : `${text.slice(0, most / 2)}…${text.slice(1 - most / 2)}`;
}

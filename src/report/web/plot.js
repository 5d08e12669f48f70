/* Curves over time: panels drawn by uPlot, with one time axis, one cursor and one zoom. */
import uPlot from 'uplot';
import { linearTicks, logTicks, prettyUnit, raised, readable, tickFormat } from './axis.js';
import {
  announce,
  color,
  hideTip,
  make,
  makeSvg,
  onDrag,
  onWheelZoom,
  palette,
  pointOf,
  seriesColor,
  showTip,
} from './core.js';

const font = '12px system-ui, sans-serif';

/* One time axis for all panels of the report: the range that is shown and the cursor. */
export class TimeAxis {
  constructor(low, high) {
    this.whole = [low, high];
    this.range = [low, high];
    this.cursor = null;
    this.panels = [];
  }

  set(low, high) {
    const span = Math.max(high - low, (this.whole[1] - this.whole[0]) * 1e-9);
    const from = Math.max(this.whole[0], Math.min(low, this.whole[1] - span));
    this.range = [from, Math.min(this.whole[1], from + span)];
    for (const panel of this.panels) panel.rescale();
  }

  zoom(factor, at) {
    const [low, high] = this.range;
    this.set(at - (at - low) / factor, at + (high - at) / factor);
  }

  pan(way) {
    const span = this.range[1] - this.range[0];
    const low = Math.max(this.whole[0], Math.min(this.whole[1] - span, this.range[0] + way));
    this.set(low, low + span);
  }

  reset() {
    this.set(...this.whole);
  }

  drawAll() {
    for (const panel of this.panels) panel.draw();
  }
}

/* The last index with x[i] <= t, or 0. Times do not decrease. */
function indexBefore(x, t) {
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/* Value at t: on the line between two points; stairs keep the left value. */
function valueAt(series, t) {
  const i = indexBefore(series.x, t);
  const [x0, x1] = [series.x[i], series.x[i + 1]];
  if (series.stairs || x1 === undefined || x1 === x0 || t < x0) return series.y(i);
  return series.y(i) + ((series.y(i + 1) - series.y(i)) * (t - x0)) / (x1 - x0);
}

/* The values of a curve as uPlot takes them: null where there is nothing to draw. */
function column(series, isLog) {
  const isDrawn = (v) => Number.isFinite(v) && !(isLog && v <= 0);
  return Array.from(series.x, (_, i) => (isDrawn(series.y(i)) ? series.y(i) : null));
}

/* How far a curve goes up and down. */
function travelOf(series) {
  let sum = 0;
  for (let i = 1; i < series.x.length; i++) {
    const way = Math.abs(series.y(i) - series.y(i - 1));
    if (Number.isFinite(way)) sum += way;
  }
  return sum;
}

/* Restless curves first, so that they do not cover calm ones; dashed ones upon those that they
 * coincide with. */
function layersOf(series) {
  const travel = new Map(series.map((s) => [s, travelOf(s)]));
  const level = (s) => s.level || 0;
  return [...series].sort((a, b) => level(a) - level(b) || travel.get(b) - travel.get(a));
}

export class Panel {
  /* series: {name, x: times, y: function of an index, ink, dash, stairs}, all with the same
   * times; kind of the values: 0 real, 1 whole numbers, 2 truth values */
  constructor(axis, options) {
    this.axis = axis;
    const usual = { isLog: false, height: 240, unit: '', kind: 0, series: [], events: [] };
    Object.assign(this, usual, options);
    this.box = make('div', {
      class: 'curves',
      tabindex: '0',
      role: 'img',
      style: `height:${this.height}px`,
      'aria-label':
        `${options.label}: ${this.series.map((s) => s.name).join(', ')} over time; ` +
        'arrow keys move the cursor, n and p go to the next and the previous event, ' +
        'plus and minus zoom, 0 shows all',
    });
    this.legend = make('div', { class: 'legend' });
    this.node = make('div', { class: 'panel' }, this.legend, this.box);
    this.time = make('div', { class: 'time' });
    this.buildLegend();
    axis.panels.push(this);
  }

  buildLegend() {
    this.values = this.series.map(() => make('output', {}));
    this.legend.replaceChildren(
      ...this.series.map((s, k) =>
        make('span', { class: 'key' }, this.swatch(s), make('span', {}, s.name), this.values[k]),
      ),
    );
  }

  swatch(s) {
    const svg = makeSvg('svg', { width: 24, height: 10, 'aria-hidden': 'true' });
    svg.append(
      makeSvg('line', {
        x1: 0,
        y1: 5,
        x2: 24,
        y2: 5,
        'stroke-width': 2.2,
        style: `stroke:var(--${palette[s.ink % palette.length]})`,
        'stroke-dasharray': s.dash.join(' '),
      }),
    );
    return svg;
  }

  /* ---- drawing ---- */

  /* uPlot needs the size, which is known once the panel is in the page. */
  draw() {
    const width = this.box.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.begin(width);
    else if (this.plot.width !== width) this.plot.setSize({ width, height: this.height });
    else this.plot.redraw(false); /* other colours, the same curves */
  }

  begin(width) {
    this.layers = layersOf(this.series);
    const data = [this.series[0].x, ...this.layers.map((s) => column(s, this.isLog))];
    this.plot = new uPlot({ width, height: this.height, ...this.options() }, data, this.box);
    this.plot.over.append(this.time);
    this.listen();
    this.rescale();
  }

  free() {
    if (this.plot) this.plot.destroy();
    this.axis.panels = this.axis.panels.filter((panel) => panel !== this);
  }

  options() {
    return {
      legend: { show: false },
      padding: [8, 22, 0, 0],
      scales: {
        x: { time: false, auto: false, range: (u, low, high) => [low, high] },
        y: { distr: this.isLog ? 3 : 1, range: (u, low, high) => this.rangeOf(low, high) },
      },
      series: [{}, ...this.layers.map((s) => this.look(s))],
      axes: [this.timeAxis(), this.valueAxis()],
      cursor: this.cursorOptions(),
      hooks: {
        drawAxes: [(u) => this.drawEvents(u)],
        setCursor: [(u) => this.showValues(u)],
        setSelect: [(u) => this.zoomToSelection(u)],
      },
    };
  }

  look(s) {
    return {
      stroke: () => seriesColor(s.ink),
      width: 1.8,
      dash: s.dash,
      pxAlign: 0,
      points: { show: false },
      paths: s.stairs ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
    };
  }

  /* The cursor of one panel is the cursor of all; a drag chooses a time, with Shift it moves. */
  cursorOptions() {
    return {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      sync: {
        key: 'time',
        scales: ['x', null],
        filters: { pub: (type) => type === 'mousemove', sub: () => true },
      },
      bind: {
        mousedown: (u, target, handler) => (event) => {
          if (!event.shiftKey) handler(event);
        },
        dblclick: () => () => this.axis.reset(),
      },
    };
  }

  lines() {
    return { stroke: () => color('grid'), width: 1 };
  }

  timeAxis() {
    const ticks = (u) => {
      const { min, max } = u.scales.x;
      return { ...linearTicks(min, max, Math.max(2, u.bbox.width / uPlot.pxRatio / 90)), min, max };
    };
    return {
      stroke: () => color('quiet'),
      font,
      labelFont: font,
      label: 'time [s]',
      labelSize: 18,
      labelGap: 0,
      size: 24,
      gap: 4,
      grid: this.lines(),
      ticks: { show: false },
      splits: (u) => ticks(u).ticks,
      values: (u, splits) => {
        const { min, max, step } = ticks(u);
        return splits.map(tickFormat(min, max, step).text);
      },
    };
  }

  valueAxis() {
    const found = (u) => {
      const { min, max } = u.scales.y;
      return this.valueTicks(min, max, u.bbox.height / uPlot.pxRatio / 38);
    };
    const unit = this.unit ? `[${prettyUnit(this.unit)}]` : '';
    return {
      stroke: () => color('quiet'),
      font,
      labelFont: font,
      label: (u) => [found(u).format.scale, unit].join(' ').trim(),
      labelSize: 18,
      labelGap: 0,
      size: 52,
      gap: 6,
      grid: this.lines(),
      ticks: { show: false },
      filter: (u, splits) => splits,
      splits: (u) => found(u).ticks,
      values: (u, splits) => splits.map(found(u).format.text),
    };
  }

  valueTicks(low, high, wanted) {
    if (this.kind === 2)
      return { ticks: [0, 1], format: { text: (v) => String(v > 0.5), scale: '' } };
    if (this.isLog)
      return {
        ticks: logTicks(Math.log10(low), Math.log10(high), 5).ticks.map((k) => 10 ** k),
        format: { text: (v) => `10${raised(Math.round(Math.log10(v)))}`, scale: '' },
      };
    const { ticks, step } = linearTicks(low, high, Math.max(2, wanted), this.kind === 1);
    return { ticks, format: tickFormat(low, high, step) };
  }

  /* What is shown of the values: those in the shown time with a little room; differences below
   * the tolerance are not blown up. */
  rangeOf(low, high) {
    if (this.kind === 2) return [-0.1, 1.1];
    if (low === null || !(low <= high)) return this.isLog ? [0.1, 1] : [0, 1];
    if (this.isLog) {
      const least = Math.floor(Math.log10(low) + 1e-9);
      return [10 ** least, 10 ** Math.max(Math.ceil(Math.log10(high) - 1e-9), least + 1)];
    }
    const middle = (low + high) / 2;
    if (high - low <= Math.max(this.noise || 0, 1e-12) * Math.abs(middle) || high === low) {
      const pad = middle === 0 || this.kind === 1 ? 1 : 0.1 * Math.abs(middle);
      return [middle - pad, middle + pad];
    }
    return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
  }

  rescale() {
    const [min, max] = this.axis.range;
    if (this.plot) this.plot.setScale('x', { min, max });
  }

  /* One line in a pixel column; where there are too many to see the curves, only their ends. */
  drawEvents(u) {
    const { left, top, width, height } = u.bbox;
    const ratio = uPlot.pxRatio;
    const columns = new Set();
    for (const { t } of this.events)
      if (t >= u.scales.x.min && t <= u.scales.x.max)
        columns.add(Math.round(u.valToPos(t, 'x', true)));
    const isFew = columns.size < width / ratio / 16;
    const end = isFew ? height : 6 * ratio;
    u.ctx.save();
    u.ctx.strokeStyle = color('event');
    u.ctx.lineWidth = ratio;
    u.ctx.setLineDash(isFew ? [3 * ratio, 3 * ratio] : []);
    u.ctx.beginPath();
    for (const x of columns) {
      if (x < left || x > left + width) continue;
      u.ctx.moveTo(x, top);
      u.ctx.lineTo(x, top + end);
      u.ctx.moveTo(x, top + height - end);
      if (!isFew) u.ctx.lineTo(x, top + height);
    }
    u.ctx.stroke();
    u.ctx.restore();
  }

  /* ---- reading ---- */

  /* A value in words: numbers, or true and false. */
  tell(value) {
    return this.kind === 2 && Number.isFinite(value) ? String(value > 0.5) : readable(value);
  }

  /* The values at the cursor; its time stands beside it. */
  showValues(u) {
    const { left } = u.cursor;
    const isShown = left >= 0;
    const t = isShown ? this.exact(u.posToVal(left, 'x')) : null;
    this.axis.cursor = t;
    this.series.forEach((s, k) => {
      this.values[k].textContent = isShown ? this.tell(valueAt(s, t)) : '';
    });
    this.time.hidden = !isShown;
    if (!isShown) return;
    this.time.textContent = `t = ${readable(t)}`;
    const isRight = left > u.over.clientWidth / 2;
    this.time.style.cssText = isRight
      ? `right:${u.over.clientWidth - left + 4}px`
      : `left:${left + 4}px`;
  }

  /* The time that a key asked for, not the nearest one that a pixel can tell. */
  exact(t) {
    const asked = this.axis.asked;
    const pixel = (this.axis.range[1] - this.axis.range[0]) / this.plot.over.clientWidth;
    return asked !== null && asked !== undefined && Math.abs(asked - t) < pixel ? asked : t;
  }

  eventNear(x) {
    let near = null;
    for (const event of this.events) {
      const distance = Math.abs(this.plot.valToPos(event.t, 'x') - x);
      if (distance < (near ? near.distance : 4)) near = { event, distance };
    }
    return near && near.event;
  }

  /* ---- pointer and keyboard ---- */

  listen() {
    const { over } = this.plot;
    onWheelZoom(over, (factor, x) => this.axis.zoom(factor, this.plot.posToVal(x, 'x')), this.box);
    onDrag(over, {
      begin: (event) => {
        this.box.focus({ preventScroll: true });
        return event.shiftKey || event.pointerType === 'touch';
      },
      move: (dx) =>
        this.axis.pan(this.plot.posToVal(0, 'x') - this.plot.posToVal(dx, 'x')),
      end: () => {},
    });
    over.addEventListener('pointermove', (event) => this.hover(event));
    over.addEventListener('pointerleave', hideTip);
    this.box.addEventListener('keydown', (event) => this.key(event));
  }

  zoomToSelection(u) {
    const { left, width } = u.select;
    if (width <= 0) return;
    if (width > 4) this.axis.set(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  hover(event) {
    this.axis.asked = null;
    const near = this.eventNear(pointOf(event, this.plot.over)[0]);
    if (!near) {
      hideTip();
      return;
    }
    showTip(
      event.clientX,
      event.clientY,
      make('div', {}, `event at t = ${readable(near.t)}`),
      ...[near.cause, near.changes].filter((text) => text).map((text) => make('div', {}, text)),
    );
  }

  /* Puts the cursor of all panels to a time; a time outside of what is shown is moved to. */
  moveTo(wanted) {
    const { axis, plot } = this;
    const t = Math.max(axis.whole[0], Math.min(axis.whole[1], wanted));
    const [low, high] = axis.range;
    if (t < low) axis.pan(t - low);
    if (t > high) axis.pan(t - high);
    const [from, to] = axis.range;
    axis.asked = t;
    axis.cursor = t;
    const left = ((t - from) / (to - from)) * plot.over.clientWidth;
    /* the panels take their new range over at the end of this turn, the cursor after it */
    queueMicrotask(() => plot.setCursor({ left, top: 0 }, true, true));
    announce(
      `t = ${readable(t)}; ` +
        this.series.map((s) => `${s.name} = ${this.tell(valueAt(s, t))}`).join('; '),
    );
  }

  moveToEvent(found) {
    if (!found) return;
    this.moveTo(found.t);
    announce(`event at t = ${readable(found.t)}; ${found.cause}; ${found.changes}`);
  }

  key(event) {
    const [low, high] = this.axis.range;
    const t = this.axis.cursor === null ? (low + high) / 2 : this.axis.cursor;
    const step = ((high - low) / 100) * (event.shiftKey ? 10 : 1);
    const actions = {
      n: () => this.moveToEvent(this.events.find((e) => e.t > t)),
      p: () => this.moveToEvent(this.events.filter((e) => e.t < t).pop()),
      ArrowLeft: () => this.moveTo(t - step),
      ArrowRight: () => this.moveTo(t + step),
      Home: () => this.moveTo(this.axis.whole[0]),
      End: () => this.moveTo(this.axis.whole[1]),
      '+': () => this.axis.zoom(1.5, t),
      '=': () => this.axis.zoom(1.5, t),
      '-': () => this.axis.zoom(1 / 1.5, t),
      0: () => this.axis.reset(),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}

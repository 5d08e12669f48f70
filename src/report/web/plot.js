/* Curves over time on canvases: panels with one time axis, one cursor, one zoom. */
'use strict';

const plotMargin = { left: 70, right: 14, top: 8, bottom: 26 };

/* One time axis for all panels of the report: range, cursor, who listens. */
class TimeAxis {
  constructor(low, high) {
    [this.whole, this.range] = [
      [low, high],
      [low, high],
    ];
    this.cursor = null;
    this.panels = [];
  }

  set(low, high) {
    const span = Math.max(high - low, (this.whole[1] - this.whole[0]) * 1e-9);
    const from = Math.max(this.whole[0], Math.min(low, this.whole[1] - span));
    this.range = [from, Math.min(this.whole[1], from + span)];
    this.drawAll();
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
    this.range = [...this.whole];
    this.drawAll();
  }

  point(t) {
    this.cursor = t;
    this.drawAll();
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

class Panel {
  /* series: {name, unit, x: times, y: function of an index, ink, dash, stairs}; kind of the
   * values: 0 real, 1 whole numbers, 2 truth values */
  constructor(axis, options) {
    this.axis = axis;
    const usual = {isLog : false, height : 220, unit : '', kind : 0, series : [], events : []};
    Object.assign(this, usual, options);
    this.canvas = make('canvas', {
      tabindex : '0',
      role : 'img',
      style : `height:${this.height}px`,
      'aria-label' :
          `${options.label}: ${this.series.map((s) => s.name).join(', ')} over time; ` +
              'arrow keys move the cursor, n and p go to the next and the previous event, ' +
              'plus and minus zoom, 0 shows all',
    });
    this.legend = make('div', { class: 'legend' });
    this.node = make('div', { class: 'panel' }, this.legend, this.canvas);
    this.buildLegend();
    this.listen();
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

  get size() {
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    return {
      left: plotMargin.left,
      right: w - plotMargin.right,
      top: plotMargin.top,
      bottom: h - plotMargin.bottom,
    };
  }

  toX(t) {
    const { left, right } = this.size;
    return (
      left + ((t - this.axis.range[0]) / (this.axis.range[1] - this.axis.range[0])) * (right - left)
    );
  }

  toTime(px) {
    const { left, right } = this.size;
    return (
      this.axis.range[0] +
      ((px - left) / (right - left)) * (this.axis.range[1] - this.axis.range[0])
    );
  }

  scaled(v) {
    return this.isLog ? (v > 0 ? Math.log10(v) : NaN) : v;
  }

  /* Smallest and largest value in the shown time, with a little room. */
  findRange() {
    let [low, high] = [Infinity, -Infinity];
    for (const s of this.series) {
      const last = Math.min(s.x.length - 1, indexBefore(s.x, this.axis.range[1]) + 1);
      for (let i = indexBefore(s.x, this.axis.range[0]); i <= last; i++) {
        const v = this.scaled(s.y(i));
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (this.kind === 2)
      return [ -0.1, 1.1 ];
    if (!(low <= high)) return [0, 1];
    if (this.isLog) return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
    const middle = (low + high) / 2;
    if (high - low <= Math.max(this.noise || 0, 1e-12) * Math.abs(middle) || high === low) {
      const pad = middle === 0 || this.kind === 1 ? 1 : 0.1 * Math.abs(middle);
      return [middle - pad, middle + pad];
    }
    return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
  }

  draw() {
    if (this.canvas.clientWidth === 0) return;
    const context = fitCanvas(this.canvas);
    const size = this.size;
    const [low, high] = this.findRange();
    const toY = (v) => size.bottom - ((v - low) / (high - low)) * (size.bottom - size.top);
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.font = '12px system-ui, sans-serif';
    this.drawGrid(context, size, low, high, toY);
    context.save();
    context.beginPath();
    context.rect(size.left, size.top, size.right - size.left, size.bottom - size.top);
    context.clip();
    this.drawEvents(context, size);
    for (const s of this.series) this.drawSeries(context, s, toY);
    this.drawSelection(context, size);
    this.drawCursor(context, size);
    context.restore();
    context.strokeStyle = color('line');
    context.strokeRect(
      size.left + 0.5,
      size.top + 0.5,
      size.right - size.left - 1,
      size.bottom - size.top - 1,
    );
  }

  drawGrid(context, size, low, high, toY) {
    const [t0, t1] = this.axis.range;
    const xs = linearTicks(t0, t1, Math.max(2, (size.right - size.left) / 90));
    const xText = tickFormat(t0, t1, xs.step);
    const {ticks : ys, format : yText} = this.yTicks(low, high, (size.bottom - size.top) / 38);
    context.strokeStyle = color('grid');
    context.fillStyle = color('quiet');
    context.textBaseline = 'top';
    context.textAlign = 'center';
    for (const t of xs.ticks) {
      this.line(context, this.toX(t), size.top, this.toX(t), size.bottom);
      context.fillText(xText.text(t), this.toX(t), size.bottom + 6);
    }
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const v of ys) {
      this.line(context, size.left, toY(v), size.right, toY(v));
      context.fillText(yText.text(v), size.left - 6, toY(v));
    }
    const label = [yText.scale, this.unit ? `[${prettyUnit(this.unit)}]` : ''].join(' ').trim();
    if (label === '') return;
    context.save();
    context.translate(12, (size.top + size.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'center';
    context.fillText(label, 0, 0);
    context.restore();
  }

  yTicks(low, high, wanted)
  {
    if (this.kind === 2)
      return {ticks : [ 0, 1 ], format : {text : (v) => String(v > 0.5), scale : ''}};
    if (this.isLog)
      return {
        ticks : logTicks(low, high, 5).ticks,
        format : {text : (v) => `10${raised(v)}`, scale : ''},
      };
    const {ticks, step} = linearTicks(low, high, Math.max(2, wanted), this.kind === 1);
    return {ticks, format : tickFormat(low, high, step)};
  }

  /* A value in words: numbers, or true and false. */
  tell(value)
  {
    return this.kind === 2 && Number.isFinite(value) ? String(value > 0.5) : readable(value);
  }

  line(context, x1, y1, x2, y2) {
    context.beginPath();
    context.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    context.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
    context.stroke();
  }

  /* One line in a pixel column; where there are too many to see the curves, only their ends. */
  drawEvents(context, size) {
    const columns = new Set();
    const [low, high] = this.axis.range;
    for (const {t} of this.events)
      if (t >= low && t <= high)
        columns.add(Math.round(this.toX(t)));
    const isFew = columns.size < (size.right - size.left) / 8;
    context.strokeStyle = color('event');
    context.setLineDash(isFew ? [ 3, 3 ] : []);
    for (const x of columns) {
      this.line(context, x, size.top, x, isFew ? size.bottom : size.top + 6);
      if (!isFew)
        this.line(context, x, size.bottom - 6, x, size.bottom);
    }
    context.setLineDash([]);
  }

  eventNear(x)
  {
    let near = null;
    for (const event of this.events) {
      const distance = Math.abs(this.toX(event.t) - x);
      if (distance < (near ? near.distance : 4))
        near = {event, distance};
    }
    return near && near.event;
  }

  /* Points of one pixel column are drawn as their first, least, largest and last: nothing that
   * can be seen is lost. */
  drawSeries(context, s, toY) {
    const last = Math.min(s.x.length - 1, indexBefore(s.x, this.axis.range[1]) + 1);
    context.strokeStyle = seriesColor(s.ink);
    context.setLineDash(s.dash);
    context.lineWidth = 1.8;
    context.beginPath();
    let pen = false;
    let before = NaN;
    for (let i = indexBefore(s.x, this.axis.range[0]); i <= last;) {
      const px = this.toX(s.x[i]);
      let [low, high, v] = [Infinity, -Infinity, NaN];
      const first = this.scaled(s.y(i));
      for (; i <= last && this.toX(s.x[i]) < px + 0.5; i++) {
        v = this.scaled(s.y(i));
        if (v < low) low = v;
        if (v > high) high = v;
      }
      if (!Number.isFinite(first)) {
        pen = false;
        continue;
      }
      if (s.stairs && pen) context.lineTo(px, before);
      context[pen ? 'lineTo' : 'moveTo'](px, toY(first));
      if (high > low) {
        context.lineTo(px, toY(low));
        context.lineTo(px, toY(high));
        context.lineTo(px, toY(v));
      }
      before = toY(v);
      pen = true;
    }
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  drawCursor(context, size) {
    const t = this.axis.cursor;
    this.series.forEach(
        (s, k) => { this.values[k].textContent = t === null ? '' : this.tell(valueAt(s, t)); });
    if (t === null) return;
    context.strokeStyle = color('focus');
    this.line(context, this.toX(t), size.top, this.toX(t), size.bottom);
    context.fillStyle = color('focus');
    context.textBaseline = 'top';
    const isRight = this.toX(t) > (size.left + size.right) / 2;
    context.textAlign = isRight ? 'right' : 'left';
    context.fillText(`t = ${readable(t)}`, this.toX(t) + (isRight ? -4 : 4), size.top + 3);
  }

  drawSelection(context, size) {
    if (!this.selection) return;
    const [a, b] = this.selection;
    context.fillStyle = color('select');
    context.fillRect(Math.min(a, b), size.top, Math.abs(b - a), size.bottom - size.top);
  }

  /* ---- pointer and keyboard ---- */

  listen() {
    onWheelZoom(this.canvas, (factor, x) => this.axis.zoom(factor, this.toTime(x)));
    onDrag(this.canvas, {
      begin: (event, x) => {
        this.isPan = event.shiftKey;
        if (!this.isPan) this.selection = [x, x];
        return true;
      },
      move: (dx, dy, x) => {
        if (this.isPan) this.axis.pan(this.toTime(0) - this.toTime(dx));
        else this.selection[1] = x;
        this.draw();
      },
      end: () => this.endSelection(),
    });
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => {
      hideTip();
      this.axis.point(null);
    });
    this.canvas.addEventListener('dblclick', () => this.axis.reset());
    this.canvas.addEventListener('keydown', (event) => this.key(event));
  }

  endSelection() {
    const chosen = this.selection;
    this.selection = null;
    if (chosen && Math.abs(chosen[1] - chosen[0]) > 4) {
      const [a, b] = chosen.map((x) => this.toTime(x)).sort((p, q) => p - q);
      this.axis.set(Math.max(a, this.axis.whole[0]), Math.min(b, this.axis.whole[1]));
    } else this.draw();
  }

  hover(event) {
    const [x] = pointOf(event, this.canvas);
    const t = this.toTime(x);
    const [low, high] = this.axis.range;
    if (t < low || t > high) return;
    this.axis.point(t);
    const near = this.eventNear(x);
    if (near)
      showTip(
          event.clientX,
          event.clientY,
          make('div', {}, `event at t = ${readable(near.t)}`),
          ...[near.cause, near.changes]
              .filter((text) => text)
              .map((text) => make('div', {}, text)),
      );
    else hideTip();
  }

  key(event) {
    const [low, high] = this.axis.range;
    const t = this.axis.cursor === null ? (low + high) / 2 : this.axis.cursor;
    const step = ((high - low) / 100) * (event.shiftKey ? 10 : 1);
    const move = (to) => {
      this.axis.point(Math.max(this.axis.whole[0], Math.min(this.axis.whole[1], to)));
      if (this.axis.cursor < low) this.axis.pan(this.axis.cursor - low);
      if (this.axis.cursor > high) this.axis.pan(this.axis.cursor - high);
      announce(
          `t = ${readable(this.axis.cursor)}; ` +
              this.series.map((s) => `${s.name} = ${this.tell(valueAt(s, this.axis.cursor))}`)
                  .join('; '),
      );
    };
    const toEvent = (found) => {
      if (!found)
        return;
      move(found.t);
      announce(`event at t = ${readable(found.t)}; ${found.cause}; ${found.changes}`);
    };
    const actions = {
      n : () => toEvent(this.events.find((e) => e.t > t)),
      p : () => toEvent(this.events.filter((e) => e.t < t).pop()),
      ArrowLeft : () => move(t - step),
      ArrowRight : () => move(t + step),
      Home : () => move(this.axis.whole[0]),
      End : () => move(this.axis.whole[1]),
      '+' : () => this.axis.zoom(1.5, t),
      '=' : () => this.axis.zoom(1.5, t),
      '-' : () => this.axis.zoom(1 / 1.5, t),
      0 : () => this.axis.reset(),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}

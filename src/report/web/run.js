/* The simulation in the report: which curves share a panel, the list to choose from, the solver's
 * steps. */
import { prettyUnit } from './axis.js';
import { $, dashes, make, palette } from './core.js';
import { Panel, TimeAxis } from './plot.js';

const mostPanels = 4;

/* Curves are kept as single precision differences from a base value. */
function makeSeries(data) {
  const { run_time: time, run_value: values, run_base: base } = data;
  const n = time.length;
  return data.run_name.map((name, k) => ({
                             name,
                             unit : data.run_unit[k],
                             kind : data.run_kind[k],
                             x : time,
                             index : k,
                             y : (i) => base[k] + values[k * n + i],
                             size : data.run_size[k],
                           }));
}

/* Curves that can share a panel have the same unit and kind. */
const family = (s) => `${s.kind} ${s.unit}`;

/* Do two curves look like one for a fifth of their way? A sample of their points tells. */
function coincide(a, b)
{
  const n = a.x.length;
  const stride = Math.floor(n / 400) + 1;
  let [near, seen, low, high] = [ 0, 0, Infinity, -Infinity ];
  for (let i = 0; i < n; i += stride) {
    low = Math.min(low, a.y(i), b.y(i));
    high = Math.max(high, a.y(i), b.y(i));
  }
  for (let i = 0; i < n; i += stride, seen++)
    if (Math.abs(a.y(i) - b.y(i)) <= 0.004 * (high - low))
      near++;
  return 5 * near >= seen;
}

/* Is one curve the other under another name, as in connected components? */
function isSame(a, b) {
  if (family(a) !== family(b)) return false;
  for (let i = 0; i < a.x.length; i++) if (a.y(i) !== b.y(i)) return false;
  return true;
}

/* All, or of more than eight the first eight; then each curve once, whatever its names. */
function chooseFirst(series) {
  const chosen = [];
  const areFew = series.length <= 8;
  for (const s of series) {
    if (areFew || (chosen.length < 8 && !chosen.some((other) => isSame(other, s)))) chosen.push(s);
  }
  return new Set(chosen.map((s) => s.index));
}

/* After eight colours the dashes change; a curve upon an earlier one is dashed as well. */
function chooseLooks(group)
{
  group.forEach((s, k) => {
    s.ink = k;
    let level = Math.floor(k / palette.length);
    for (const earlier of group.slice(0, Math.min(k, 64)))
      if (coincide(earlier, s))
        level = earlier.level + 1;
    s.level = level;
    s.dash = dashes[level % dashes.length];
  });
}

/* By unit and kind, then by size: curves more than ten times smaller go to another panel; where
 * that makes more than four, only larger differences count. */
function groupSeries(chosen) {
  for (let ratio = 10; ; ratio *= 10) {
    const sorted = [...chosen ].sort(
        (a, b) => family(a) < family(b)   ? -1
                  : family(a) > family(b) ? 1
                                          : b.size - a.size || a.index - b.index,
    );
    const groups = [];
    for (const s of sorted) {
      const group = groups[groups.length - 1];
      const first = group && group[0]; /* the largest one */
      if (first && family(first) === family(s) && !(s.size > 0 && s.size * ratio < first.size))
        group.push(s);
      else groups.push([s]);
    }
    const units = new Set(chosen.map(family)).size;
    if (groups.length <= Math.max(mostPanels, units) || ratio > 1e12) {
      groups.forEach((group) => group.sort((a, b) => a.index - b.index));
      return groups.sort((a, b) => a[0].index - b[0].index);
    }
  }
}

export class RunView {
  constructor(data) {
    this.data = data;
    this.series = makeSeries(data);
    const time = data.run_time;
    this.axis = new TimeAxis(time[0], time[time.length - 1]);
    this.events = Array.from(data.event_time || [], (t, k) => ({
                                                      t,
                                                      cause : data.event_cause[k],
                                                      changes : data.event_changes[k],
                                                    }));
    this.chosen = chooseFirst(this.series);
    this.filter = '';
    this.buildPanels();
    this.buildChoice();
    this.buildSteps();
    $('run-reset').addEventListener('click', () => this.axis.reset());
  }

  buildPanels() {
    const chosen = this.series.filter((s) => this.chosen.has(s.index));
    for (const panel of this.axis.panels.filter((shown) => !shown.isStep)) panel.free();
    const panels = groupSeries(chosen).map((group) => {
      chooseLooks(group);
      return new Panel(this.axis, {
        label : 'trajectories',
        series : group,
        unit : group[0].unit,
        kind : group[0].kind,
        height : group[0].kind === 2 ? 120 : 240,
        events : this.events,
        noise : this.data.facts.tolerance,
      });
    });
    $('curves').replaceChildren(...panels.map((panel) => panel.node));
    panels.forEach((panel) => panel.draw());
  }

  buildChoice() {
    this.list = $('choice');
    $('filter').addEventListener('input', (event) => {
      this.filter = event.target.value.toLowerCase();
      this.fillChoice();
    });
    this.fillChoice();
  }

  /* The first matching names; typing narrows them. */
  fillChoice() {
    const most = 200;
    const fitting = this.series.filter((s) => s.name.toLowerCase().includes(this.filter));
    const entries = fitting.slice(0, most).map((s) => {
      const input = make('input', { type: 'checkbox' });
      input.checked = this.chosen.has(s.index);
      input.addEventListener('change', () => {
        this.chosen[input.checked ? 'add' : 'delete'](s.index);
        this.buildPanels();
      });
      return make('label', {}, input, s.unit ? `${s.name} [${prettyUnit(s.unit)}]` : s.name);
    });
    if (fitting.length > most)
      entries.push(make('p', {}, `${fitting.length - most} more: type a part of the name`));
    this.list.replaceChildren(...entries);
  }

  /* Step size, order, iterations and residual of each accepted step. */
  buildSteps() {
    const { data } = this;
    if (!data.step_time || data.step_time.length === 0) return;
    /* A step has its values from its begin to its end: stairs that go on to the end of the last. */
    const {step_time : ends, step_size : sizes} = data;
    const last = ends.length - 1;
    const begins = Float64Array.from(ends, (t, i) => (i > 0 ? ends[i - 1] : t - sizes[i]));
    const x = new Float64Array(ends.length + 1);
    x.set(begins);
    x[ends.length] = ends[last];
    const plain = (name, array, ink) => ({
      name,
      unit : '',
      x,
      y : (i) => array[Math.min(i, last)],
      ink,
      dash : [],
      stairs : true,
    });
    const options = { isStep: true, height: 150, events: this.events };
    const panels = [
      new Panel(this.axis, {
        ...options,
        label : 'step size',
        isLog : true,
        unit : 's',
        series : [ plain('step size', data.step_size, 0) ],
      }),
      new Panel(this.axis, {
        ...options,
        label : 'order',
        kind : 1,
        series : [ plain('order of the method', data.step_order, 1) ],
      }),
      new Panel(this.axis, {
        ...options,
        label : 'Newton iterations',
        kind : 1,
        series : [ plain('Newton iterations', data.step_newton, 2) ],
      }),
    ];
    if (data.residual_time && data.residual_time.length > 0) {
      panels.push(
        new Panel(this.axis, {
          ...options,
          label: 'residual',
          isLog: true,
          series: [
            {
              name: 'largest constraint residual, as written',
              unit: '',
              x: data.residual_time,
              y: (i) => data.residual_value[i],
              ink: 3,
              dash: [],
            },
          ],
        }),
      );
    }
    $('steps').replaceChildren(...panels.map((panel) => panel.node));
  }

  draw() {
    this.axis.drawAll();
  }
}

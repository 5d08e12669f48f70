/* The graph of the blocks: what has to be solved before what. Layers by the longest way, order in
 * a layer by the mean place of the neighbours, a few sweeps. For models with few enough blocks. */
'use strict';

const mostBlocks = 300;
const box = { width: 150, height: 40, gapX: 26, gapY: 46 };

/* Edges from each block to the blocks that use its variables, each once. */
function findEdges(data, blockOfRow, blockOfColumn) {
  const seen = new Set();
  const edges = [];
  for (let k = 0; k < data.entry_row.length; k++) {
    const [to, from] = [blockOfRow[data.entry_row[k]], blockOfColumn[data.entry_column[k]]];
    const name = `${from} ${to}`;
    const known =
      data.offset_d[data.entry_column[k]] - data.offset_c[data.entry_row[k]] > data.entry_sigma[k];
    if (known || from === to || seen.has(name)) continue;
    seen.add(name);
    edges.push([from, to]);
  }
  return edges;
}

function findLayers(n, edges) {
  const layer = new Int32Array(n);
  const out = Array.from({ length: n }, () => []);
  for (const [from, to] of edges) out[from].push(to);
  for (let b = 0; b < n; b++) {
    /* blocks are in solution order: one pass is enough */
    for (const to of out[b]) layer[to] = Math.max(layer[to], layer[b] + 1);
  }
  return layer;
}

/* The blocks of each layer from left to right, with fewer crossings. */
function orderLayers(n, edges, layer) {
  const rows = [];
  for (let b = 0; b < n; b++) (rows[layer[b]] = rows[layer[b]] || []).push(b);
  const place = new Float64Array(n);
  rows.forEach((row) =>
    row.forEach((b, i) => {
      place[b] = i;
    }),
  );
  for (let sweep = 0; sweep < 8; sweep++) {
    const neighbours = Array.from({ length: n }, () => []);
    for (const [from, to] of edges) {
      if (sweep % 2 === 0) neighbours[to].push(from);
      else neighbours[from].push(to);
    }
    const mean = (b) =>
      neighbours[b].length === 0
        ? place[b]
        : neighbours[b].reduce((sum, other) => sum + place[other], 0) / neighbours[b].length;
    for (const row of rows) {
      const means = new Map(row.map((b) => [b, mean(b)]));
      row.sort((a, b) => means.get(a) - means.get(b) || a - b);
      row.forEach((b, i) => {
        place[b] = i - row.length / 2;
      });
    }
  }
  return rows;
}

class GraphView {
  constructor(data) {
    this.data = data;
    const starts = data.block_start;
    this.n = starts ? starts.length - 1 : 0;
    const blockOfRow = new Uint32Array(data.facts.n_rows);
    const blockOfColumn = new Uint32Array(data.facts.n_columns);
    for (let b = 0; b < this.n; b++) {
      for (let k = starts[b]; k < starts[b + 1]; k++) {
        blockOfRow[data.row_order[k]] = b;
        blockOfColumn[data.column_order[k]] = b;
      }
    }
    this.edges = findEdges(data, blockOfRow, blockOfColumn);
    this.build();
  }

  members(b) {
    const { block_start: starts, column_order: columns, row_order: rows } = this.data;
    const range = (order) => Array.from(order.subarray(starts[b], starts[b + 1]));
    return {
      equations: range(rows),
      variables: range(columns).map((j) => this.data.variable_name[j]),
    };
  }

  build() {
    const rows = orderLayers(this.n, this.edges, findLayers(this.n, this.edges));
    const widest = Math.max(...rows.map((row) => row.length));
    const width = widest * (box.width + box.gapX) + box.gapX;
    const height = rows.length * (box.height + box.gapY);
    this.centre = [];
    rows.forEach((row, i) =>
      row.forEach((b, k) => {
        this.centre[b] = [
          width / 2 + (k - (row.length - 1) / 2) * (box.width + box.gapX),
          i * (box.height + box.gapY) + box.height / 2 + 8,
        ];
      }),
    );
    const svg = makeSvg('svg', {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'group',
      'aria-label': `graph of ${this.n} blocks`,
    });
    this.lines = this.edges.map((edge) => this.drawEdge(svg, edge));
    this.boxes = [];
    for (let b = 0; b < this.n; b++) this.boxes.push(this.drawBlock(svg, b));
    $('graph').replaceChildren(svg);
  }

  drawEdge(svg, [from, to]) {
    const [x1, y1] = this.centre[from];
    const [x2, y2] = this.centre[to];
    const [a, b] = [y1 + box.height / 2, y2 - box.height / 2];
    const middle = (a + b) / 2;
    const path = makeSvg('path', {
      d: `M${x1} ${a}C${x1} ${middle} ${x2} ${middle} ${x2} ${b}`,
      class: 'edge',
    });
    svg.append(
      path,
      makeSvg('path', { d: `M${x2 - 4} ${b - 7}L${x2} ${b}L${x2 + 4} ${b - 7}Z`, class: 'tip' }),
    );
    return path;
  }

  drawBlock(svg, b) {
    const [x, y] = this.centre[b];
    const { equations, variables } = this.members(b);
    const group = makeSvg('g', {
      class: 'node',
      tabindex: '0',
      role: 'button',
      'aria-label': `block ${b}: ${variables.join(', ')} from equations ${equations.join(', ')}`,
    });
    group.append(
      makeSvg('rect', {
        x: x - box.width / 2,
        y: y - box.height / 2,
        width: box.width,
        height: box.height,
        rx: 5,
      }),
      makeSvg('text', { x, y: y - 3, 'text-anchor': 'middle' }, shorten(variables.join(', '), 18)),
      makeSvg(
        'text',
        { x, y: y + 13, 'text-anchor': 'middle', class: 'small' },
        shorten(`from ${equations.join(', ')}`, 24),
      ),
    );
    const go = () => state.source.goTo(this.data.equation_line[equations[0]]);
    group.addEventListener('click', go);
    group.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go();
    });
    group.addEventListener('pointermove', (event) => this.hover(event, b));
    group.addEventListener('pointerleave', () => {
      hideTip();
      this.light(-1);
    });
    group.addEventListener('focus', () => this.light(b));
    group.addEventListener('blur', () => this.light(-1));
    svg.append(group);
    return group;
  }

  hover(event, b) {
    const { equations, variables } = this.members(b);
    const size = equations.length === 1 ? 'one equation' : `${equations.length} equations together`;
    const linear = this.data.block_linear && this.data.block_linear[b] ? ', linear' : '';
    this.light(b);
    showTip(
      event.clientX,
      event.clientY,
      make('div', {}, `block ${b}: ${size}${linear}`),
      make('div', {}, `solved for ${shorten(variables.join(', '), 200)}`),
      ...equations
        .slice(0, 6)
        .map((i) => make('div', {}, `${i}: ${shorten(this.data.equation_text[i], 120)}`)),
    );
  }

  light(b) {
    this.edges.forEach(([from, to], k) => {
      this.lines[k].classList.toggle('lit', from === b || to === b);
    });
  }

  draw() {
    /* colours come from the style sheet */
  }
}

/* The graph of the blocks: what has to be solved before what, laid out by dagre. For models with
 * few enough blocks (html_structure.c); of larger ones the matrix is the graph. */
import dagre from '@dagrejs/dagre';
import { $, hideTip, make, makeSvg, shorten, showTip, state } from './core.js';

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

/* Places of the boxes and ways of the arrows. Above some hundred arrows the fast ranking of dagre
 * is good enough. */
function arrange(n, edges) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({
    rankdir: 'TB',
    nodesep: box.gapX,
    ranksep: box.gapY,
    marginx: 8,
    marginy: 8,
    ranker: edges.length > 400 ? 'longest-path' : 'network-simplex',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (let b = 0; b < n; b++) graph.setNode(String(b), { width: box.width, height: box.height });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  dagre.layout(graph);
  return graph;
}

/* A smooth way through the middles of the given points. */
function smoothWay(points) {
  const [first, ...rest] = points.map(({ x, y }) => [x.toFixed(1), y.toFixed(1)]);
  const parts = [`M${first.join(' ')}`];
  rest.slice(0, -1).forEach((point, k) => {
    const [a, b] = [points[k + 1], points[k + 2]];
    const isLast = k === rest.length - 2;
    const [x, y] = isLast ? [b.x, b.y] : [(a.x + b.x) / 2, (a.y + b.y) / 2];
    parts.push(`Q${point.join(' ')} ${x.toFixed(1)} ${y.toFixed(1)}`);
  });
  if (rest.length === 1) parts.push(`L${rest[0].join(' ')}`);
  return parts.join('');
}

export class GraphView {
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
    this.layout = arrange(this.n, this.edges);
    const { width, height } = this.layout.graph();
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
    const [begin, end] = [this.layout.node(String(from)), this.layout.node(String(to))].map(
      ({ x, y }, k) => ({ x, y: y + (k === 0 ? 0.5 : -0.5) * box.height }),
    );
    const inner = this.layout.edge(String(from), String(to)).points.slice(1, -1);
    const points = [begin, ...inner, end];
    const path = makeSvg('path', { d: smoothWay(points), class: 'edge' });
    const head = `M${end.x - 4} ${end.y - 7}L${end.x} ${end.y}L${end.x + 4} ${end.y - 7}Z`;
    svg.append(path, makeSvg('path', { d: head, class: 'tip' }));
    return path;
  }

  drawBlock(svg, b) {
    const { x, y } = this.layout.node(String(b));
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

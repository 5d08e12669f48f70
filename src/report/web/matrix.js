/* The signature matrix on a canvas: 10^5 rows and more. Far away it is a density picture, near by
 * each entry is a square with its sigma. Rows and columns as written or in block triangular
 * order. */
import {
  $,
  announce,
  color,
  fitCanvas,
  hideTip,
  make,
  onDrag,
  onWheelZoom,
  pointOf,
  shorten,
  showTip,
  state,
} from './core.js';

const matrixMargin = { left: 64, top: 64 };

/* The entries of each displayed row as a run of the arrays (compressed rows). */
function sortByRow(n, place, rows) {
  const start = new Uint32Array(n + 1);
  for (let k = 0; k < rows.length; k++) start[place[rows[k]] + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const next = start.slice();
  const order = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) order[next[place[rows[k]]]++] = k;
  return { start, order };
}

function invert(order) {
  const place = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) place[order[i]] = i;
  return place;
}

function identity(n) {
  return Uint32Array.from({ length: n }, (_, i) => i);
}

export class MatrixView {
  constructor(data) {
    this.data = data;
    this.canvas = $('matrix');
    this.nRows = data.facts.n_rows;
    this.nColumns = data.facts.n_columns;
    this.orders = {
      blocks: this.arrange(data.row_order, data.column_order),
      written: this.arrange(identity(this.nRows), identity(this.nColumns)),
    };
    this.order = 'blocks';
    this.cursor = null; /* [displayed row, displayed column] of the keyboard or pointer */
    this.matched = new Uint32Array(this.nRows).fill(0xffffffff);
    if (data.transversal) this.matched.set(data.transversal);
    this.fit();
    this.listen();
  }

  arrange(rowOrder, columnOrder) {
    const rowPlace = invert(rowOrder);
    return {
      rowOrder,
      columnOrder,
      rowPlace,
      columnPlace: invert(columnOrder),
      ...sortByRow(this.nRows, rowPlace, this.data.entry_row),
    };
  }

  get area() {
    return {
      width: Math.max(10, this.canvas.clientWidth - matrixMargin.left - 8),
      height: Math.max(10, this.canvas.clientHeight - matrixMargin.top - 8),
    };
  }

  /* A small matrix needs no large canvas. */
  setHeight() {
    const wanted = this.nRows * 40 + matrixMargin.top + 8;
    this.canvas.style.height = `${Math.max(160, Math.min(wanted, 576, innerHeight * 0.75))}px`;
  }

  fit() {
    this.setHeight();
    const { width, height } = this.area;
    const fitting = Math.min(width / Math.max(1, this.nColumns), height / Math.max(1, this.nRows));
    this.cell = Math.min(40, fitting);
    this.least = this.cell * 0.8;
    this.x = 0; /* displayed column and row at the upper left corner */
    this.y = 0;
    this.draw();
  }

  clamp() {
    const { width, height } = this.area;
    this.cell = Math.min(60, Math.max(this.least, this.cell));
    this.x = Math.max(0, Math.min(this.x, this.nColumns - width / this.cell));
    this.y = Math.max(0, Math.min(this.y, this.nRows - height / this.cell));
    if (this.nColumns * this.cell < width) this.x = 0;
    if (this.nRows * this.cell < height) this.y = 0;
  }

  zoom(factor, px, py) {
    const column = this.x + (px - matrixMargin.left) / this.cell;
    const row = this.y + (py - matrixMargin.top) / this.cell;
    this.cell = Math.min(60, Math.max(this.least, this.cell * factor));
    this.x = column - (px - matrixMargin.left) / this.cell;
    this.y = row - (py - matrixMargin.top) / this.cell;
    this.clamp();
    this.draw();
  }

  zoomMiddle(factor) {
    const { width, height } = this.area;
    this.zoom(factor, matrixMargin.left + width / 2, matrixMargin.top + height / 2);
  }

  /* ---- drawing ---- */

  draw() {
    const context = fitCanvas(this.canvas);
    const { width, height } = this.area;
    const shown = {
      left: Math.floor(this.x),
      top: Math.floor(this.y),
      right: Math.min(this.nColumns, Math.ceil(this.x + width / this.cell)),
      bottom: Math.min(this.nRows, Math.ceil(this.y + height / this.cell)),
    };
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.save();
    context.translate(matrixMargin.left, matrixMargin.top);
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    context.fillStyle = color('paper');
    context.fillRect(
      -this.x * this.cell,
      -this.y * this.cell,
      this.nColumns * this.cell,
      this.nRows * this.cell,
    );
    if (this.order === 'blocks') this.drawBlocks(context, shown);
    if (this.cell >= 3) this.drawEntries(context, shown);
    else this.drawDensity(context, shown, width, height);
    this.drawCursor(context);
    context.restore();
    this.drawLabels(context, shown, width, height);
    context.restore();
    this.canvas.dataset.cell = this.cell.toFixed(4);
  }

  drawBlocks(context, shown) {
    const starts = this.data.block_start;
    if (!starts) return;
    context.strokeStyle = color('block');
    context.fillStyle = color('block-fill');
    for (
      let b = this.firstBlock(Math.max(0, Math.min(shown.top, shown.left)));
      b + 1 < starts.length;
      b++
    ) {
      const [from, to] = [starts[b], starts[b + 1]];
      if (from > shown.bottom && from > shown.right) break;
      const size = (to - from) * this.cell;
      if (size < 2 || to - from < 1) continue;
      context.fillRect((from - this.x) * this.cell, (from - this.y) * this.cell, size, size);
      if (this.cell >= 3 || to - from > 1) {
        context.strokeRect(
          (from - this.x) * this.cell + 0.5,
          (from - this.y) * this.cell + 0.5,
          size - 1,
          size - 1,
        );
      }
    }
  }

  firstBlock(place) {
    const starts = this.data.block_start;
    let [low, high] = [0, starts.length - 1];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle;
    }
    return low;
  }

  /* Entries below the highest derivative that counts: known when the block is solved. */
  isKnown(k) {
    const { offset_c: c, offset_d: d, entry_row: row, entry_column: column } = this.data;
    return c !== undefined && d[column[k]] - c[row[k]] > this.data.entry_sigma[k];
  }

  isMatched(k) {
    return this.matched[this.data.entry_row[k]] === this.data.entry_column[k];
  }

  drawEntries(context, shown) {
    const { start, order, columnPlace } = this.orders[this.order];
    const inks = {
      low: color('entry'),
      high: color('entry-high'),
      ring: color('matched'),
      text: color('on-entry'),
      pale: color('entry-pale'),
      ink: color('ink'),
    };
    const gap = this.cell > 8 ? 1 : 0;
    context.font = `${Math.min(15, this.cell * 0.55)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let i = Math.max(0, shown.top); i < shown.bottom; i++) {
      for (let p = start[i]; p < start[i + 1]; p++) {
        const k = order[p];
        const j = columnPlace[this.data.entry_column[k]];
        if (j < shown.left || j >= shown.right) continue;
        const [x, y] = [(j - this.x) * this.cell, (i - this.y) * this.cell];
        const sigma = this.data.entry_sigma[k];
        const known = this.isKnown(k);
        context.fillStyle = known
          ? inks.pale
          : this.isMatched(k)
            ? inks.ring
            : sigma > 0
              ? inks.high
              : inks.low;
        context.fillRect(x + gap, y + gap, this.cell - 2 * gap, this.cell - 2 * gap);
        if (this.cell >= 14) {
          context.fillStyle = known ? inks.ink : inks.text;
          context.fillText(String(sigma), x + this.cell / 2, y + this.cell / 2 + 0.5);
        }
      }
    }
  }

  /* Many entries share a pixel: their number becomes its strength. */
  drawDensity(context, shown, width, height) {
    const { start, order, columnPlace } = this.orders[this.order];
    const [w, h] = [Math.ceil(width), Math.ceil(height)];
    const counts = new Uint32Array(w * h);
    for (let i = Math.max(0, shown.top); i < shown.bottom; i++) {
      const py = Math.floor((i - this.y) * this.cell);
      if (py < 0 || py >= h) continue;
      for (let p = start[i]; p < start[i + 1]; p++) {
        const px = Math.floor((columnPlace[this.data.entry_column[order[p]]] - this.x) * this.cell);
        if (px >= 0 && px < w) counts[py * w + px]++;
      }
    }
    const size = Math.max(1, this.cell);
    context.fillStyle = color('entry');
    for (let q = 0; q < counts.length; q++) {
      if (counts[q] === 0) continue;
      context.globalAlpha = Math.min(1, 0.45 + 0.18 * counts[q]);
      context.fillRect(q % w, Math.floor(q / w), size, size);
    }
    context.globalAlpha = 1;
  }

  drawCursor(context) {
    if (this.cursor === null) return;
    const [i, j] = this.cursor;
    const size = Math.max(this.cell, 6);
    context.strokeStyle = color('focus');
    context.lineWidth = 2;
    context.strokeRect(
      (j - this.x) * this.cell - (size - this.cell) / 2,
      (i - this.y) * this.cell - (size - this.cell) / 2,
      size,
      size,
    );
    context.lineWidth = 1;
  }

  drawLabels(context, shown, width, height) {
    const every = Math.max(1, Math.ceil(16 / this.cell));
    const { rowOrder, columnOrder } = this.orders[this.order];
    context.fillStyle = color('quiet');
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const first = (from) => Math.ceil(Math.max(0, from) / every) * every;
    for (let i = first(shown.top); i < shown.bottom; i += every) {
      const y = (i + 0.5 - this.y) * this.cell;
      if (y > 0 && y < height) context.fillText(String(rowOrder[i]), -6, y);
    }
    context.textAlign = 'left';
    for (let j = first(shown.left); j < shown.right; j += every) {
      const x = (j + 0.5 - this.x) * this.cell;
      if (x < 0 || x > width) continue;
      context.save();
      context.translate(x, -6);
      context.rotate(-Math.PI / 4);
      context.fillText(shorten(this.data.variable_name[columnOrder[j]], 12), 0, 0);
      context.restore();
    }
  }

  /* ---- reading ---- */

  place(px, py) {
    const j = Math.floor(this.x + (px - matrixMargin.left) / this.cell);
    const i = Math.floor(this.y + (py - matrixMargin.top) / this.cell);
    const inside =
      px >= matrixMargin.left &&
      py >= matrixMargin.top &&
      i >= 0 &&
      j >= 0 &&
      i < this.nRows &&
      j < this.nColumns;
    return inside ? [i, j] : null;
  }

  /* The entry at a displayed place; far away, the nearest one within a few pixels. */
  entryAt(i, j, reach) {
    const { start, order, columnPlace } = this.orders[this.order];
    let best = { k: -1, distance: Infinity };
    for (let r = Math.max(0, i - reach); r <= Math.min(this.nRows - 1, i + reach); r++) {
      for (let p = start[r]; p < start[r + 1]; p++) {
        const c = columnPlace[this.data.entry_column[order[p]]];
        const distance = Math.max(Math.abs(c - j), Math.abs(r - i));
        if (distance <= reach && distance < best.distance) best = { k: order[p], distance };
      }
    }
    return best.k;
  }

  describe(row, column, k) {
    const { data } = this;
    const line = data.equation_line[row] > 0 ? `, line ${data.equation_line[row]}` : '';
    const times = data.offset_c ? ` (differentiated ${data.offset_c[row]} times)` : '';
    const highest = data.offset_d ? ` (highest derivative needed: ${data.offset_d[column]})` : '';
    return [
      `equation ${row}${line}${times}: ${data.equation_text[row]}`,
      `variable ${data.variable_name[column]}${highest}`,
      this.describeEntry(k),
    ];
  }

  describeEntry(k) {
    if (k < 0) return 'the variable does not occur in this equation';
    const sigma = this.data.entry_sigma[k];
    const how = sigma === 0 ? 'without derivative' : `with derivative of order ${sigma}`;
    const chosen = this.isMatched(k) ? '; chosen to be solved from this equation' : '';
    const known = this.isKnown(k) ? '; known by then, so it does not count for the blocks' : '';
    return `σ = ${sigma}: occurs ${how}${chosen}${known}`;
  }

  /* What stands at a displayed place, for pointer and keyboard. */
  look(i, j, reach) {
    const { rowOrder, columnOrder } = this.orders[this.order];
    const k = this.entryAt(i, j, reach);
    const row = k >= 0 ? this.data.entry_row[k] : rowOrder[i];
    const column = k >= 0 ? this.data.entry_column[k] : columnOrder[j];
    return { row, column, k, text: this.describe(row, column, k) };
  }

  reach() {
    return this.cell >= 4 ? 0 : Math.ceil(4 / this.cell);
  }

  hover(event) {
    const at = this.place(...pointOf(event, this.canvas));
    if (at === null) {
      hideTip();
      return;
    }
    const found = this.look(...at, this.reach());
    if (found.k < 0 && this.cell < 4) {
      hideTip();
      return;
    }
    showTip(event.clientX, event.clientY, ...found.text.map((line) => make('div', {}, line)));
  }

  goToLine(i, j) {
    const found = this.look(i, j, this.reach());
    state.source.goTo(this.data.equation_line[found.row]);
  }

  showRow(row) {
    const i = this.orders[this.order].rowPlace[row];
    const column = this.matched[row] !== 0xffffffff ? this.matched[row] : 0;
    const j = this.orders[this.order].columnPlace[column];
    this.cell = Math.max(this.cell, 16);
    const { width, height } = this.area;
    [this.x, this.y] = [j - width / this.cell / 2, i - height / this.cell / 2];
    this.clamp();
    this.moveTo(i, j);
    $('section-structure').scrollIntoView({ block: 'start' });
    this.canvas.focus({ preventScroll: true });
  }

  moveTo(i, j) {
    this.cursor = [
      Math.max(0, Math.min(this.nRows - 1, i)),
      Math.max(0, Math.min(this.nColumns - 1, j)),
    ];
    const { width, height } = this.area;
    const [r, c] = this.cursor;
    this.x = Math.min(c, Math.max(this.x, c + 1 - width / this.cell));
    this.y = Math.min(r, Math.max(this.y, r + 1 - height / this.cell));
    this.draw();
    announce(this.look(r, c, 0).text.join('; '));
  }

  key(event) {
    const [i, j] = this.cursor || [Math.floor(this.y), Math.floor(this.x)];
    const step = event.shiftKey ? 10 : 1;
    const actions = {
      ArrowUp: () => this.moveTo(i - step, j),
      ArrowDown: () => this.moveTo(i + step, j),
      ArrowLeft: () => this.moveTo(i, j - step),
      ArrowRight: () => this.moveTo(i, j + step),
      '+': () => this.zoomMiddle(1.5),
      '=': () => this.zoomMiddle(1.5),
      '-': () => this.zoomMiddle(1 / 1.5),
      0: () => this.fit(),
      Enter: () => this.goToLine(i, j),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  setOrder(order) {
    this.order = order;
    this.cursor = null;
    this.draw();
  }

  listen() {
    let moved = 0;
    onWheelZoom(this.canvas, (factor, x, y) => this.zoom(factor, x, y));
    onDrag(this.canvas, {
      begin: () => {
        moved = 0;
        return true;
      },
      move: (dx, dy) => {
        moved += Math.abs(dx) + Math.abs(dy);
        this.x -= dx / this.cell;
        this.y -= dy / this.cell;
        this.clamp();
        this.draw();
      },
      end: (x, y) => {
        const at = moved < 4 ? this.place(x, y) : null;
        if (at !== null) this.goToLine(...at);
      },
    });
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', hideTip);
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    for (const input of document.getElementsByName('order')) {
      input.addEventListener('change', () => this.setOrder(input.value));
    }
    $('matrix-in').addEventListener('click', () => this.zoomMiddle(2));
    $('matrix-out').addEventListener('click', () => this.zoomMiddle(0.5));
    $('matrix-fit').addEventListener('click', () => this.fit());
  }
}

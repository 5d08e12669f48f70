/* The model's source: numbered lines, colours, marks of equations; only what is seen is in the
 * page. */
import { $, announce, make, state } from './core.js';

const keywords = new Set(
  (
    'algorithm and annotation block break class connect connector constant ' +
    'constrainedby der discrete each else elseif elsewhen encapsulated end enumeration equation ' +
    'expandable extends external false final flow for function if import impure in initial inner ' +
    'input loop model not operator or outer output package parameter partial protected public ' +
    'pure record redeclare replaceable return stream then true type when while within'
  ).split(' '),
);

const tokenPattern = new RegExp(
  '(//.*|/\\*.*?(?:\\*/|$))|("(?:[^"\\\\]|\\\\.)*(?:"|$))|(\'(?:[^\'\\\\]|\\\\.)*\'|' +
    '[A-Za-z_][A-Za-z_0-9]*)|((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)',
  'g',
);

function kindOfToken(match) {
  if (match[1] !== undefined) return 'comment';
  if (match[2] !== undefined) return 'string';
  if (match[4] !== undefined) return 'number';
  return keywords.has(match[3]) ? 'keyword' : null;
}

/* The line in pieces with classes; a comment over several lines is followed by `inside`. */
function colorLine(text, inside) {
  const parts = [];
  let at = 0;
  if (inside) {
    const end = text.indexOf('*/');
    at = end < 0 ? text.length : end + 2;
    parts.push(make('span', { class: 'comment' }, text.slice(0, at)));
    if (end < 0) return parts;
  }
  tokenPattern.lastIndex = at;
  for (let m = tokenPattern.exec(text); m !== null; m = tokenPattern.exec(text)) {
    const kind = kindOfToken(m);
    if (kind === null) continue;
    parts.push(text.slice(at, m.index), make('span', { class: kind }, m[0]));
    at = m.index + m[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}

/* For each line: does it begin inside a block comment? Strings may hide the signs. */
function findComments(lines) {
  const inside = new Uint8Array(lines.length + 1);
  for (let i = 0; i < lines.length; i++) {
    let text = lines[i];
    let open = inside[i] === 1;
    if (!open && !text.includes('/*')) continue;
    text = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\/\/.*/, '');
    for (;;) {
      const at = text.indexOf(open ? '*/' : '/*');
      if (at < 0) break;
      text = text.slice(at + 2);
      open = !open;
    }
    inside[i + 1] = open ? 1 : 0;
  }
  return inside;
}

export class SourceView {
  constructor(data) {
    this.data = data;
    this.lines = data.source;
    this.inside = findComments(this.lines);
    this.box = $('source');
    this.marks = this.collectMarks();
    this.chosen = 0;
    this.rowHeight = 20;
    this.sheet = make('div', { class: 'sheet' });
    this.box.replaceChildren(this.sheet);
    this.box.addEventListener('scroll', () => this.draw());
    this.isWhole = this.lines.length <= 2000; /* small enough to be searched and printed */
    this.draw();
  }

  /* Line number -> equations that begin there, and the part of the structure they belong to. */
  collectMarks() {
    const marks = new Map();
    const { equation_line: lines, equation_part: parts } = this.data;
    for (let i = 0; lines && i < lines.length; i++) {
      if (lines[i] === 0) continue;
      const mark = marks.get(lines[i]) || { equations: [], part: 0 };
      mark.equations.push(i);
      if (parts && parts[i] > mark.part) mark.part = parts[i];
      marks.set(lines[i], mark);
    }
    for (const line of this.data.conflict_line || []) {
      const mark = marks.get(line) || { equations: [], part: 0 };
      mark.part = 3;
      marks.set(line, mark);
    }
    return marks;
  }

  makeMark(number) {
    const mark = this.marks.get(number);
    if (!mark || mark.equations.length === 0) return make('span', { class: 'mark' });
    const [first, last] = [mark.equations[0], mark.equations[mark.equations.length - 1]];
    const label = first === last ? String(first) : `${first}…${last}`;
    return make(
      'button',
      {
        class: 'mark',
        type: 'button',
        title: `equation ${label}: show it in the matrix`,
        'aria-label': `equation ${label}, show it in the matrix`,
        onclick: () => state.matrix && state.matrix.showRow(first),
      },
      label,
    );
  }

  makeRow(i) {
    const mark = this.marks.get(i + 1);
    const part = mark ? ['', 'over', 'under', 'conflict'][mark.part] : '';
    const chosen = i + 1 === this.chosen ? ' chosen' : '';
    return make(
      'div',
      { class: `row ${part}${chosen}`, id: `L${i + 1}` },
      make('span', { class: 'place', 'aria-hidden': 'true' }, String(i + 1)),
      this.makeMark(i + 1),
      make('code', {}, ...colorLine(this.lines[i], this.inside[i] === 1)),
    );
  }

  draw() {
    const n = this.lines.length;
    const first = this.isWhole
      ? 0
      : Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 20);
    const last = this.isWhole
      ? n
      : Math.min(n, first + Math.ceil(this.box.clientHeight / this.rowHeight) + 40);
    if (this.drawn === `${first} ${last} ${this.chosen}`) return;
    this.drawn = `${first} ${last} ${this.chosen}`;
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.makeRow(i));
    this.sheet.style.height = this.isWhole ? '' : `${n * this.rowHeight}px`;
    this.sheet.style.paddingTop = `${first * this.rowHeight}px`;
    this.sheet.replaceChildren(...rows);
  }

  goTo(line) {
    if (!(line > 0) || line > this.lines.length) return;
    this.chosen = line;
    $('section-source').scrollIntoView({ block: 'start' });
    const exact = $(`L${line}`);
    this.box.scrollTop =
      this.isWhole && exact
        ? exact.offsetTop - this.box.offsetTop - this.box.clientHeight / 3
        : (line - 1) * this.rowHeight - this.box.clientHeight / 3;
    this.draw();
    announce(`line ${line}: ${this.lines[line - 1].trim()}`);
  }
}

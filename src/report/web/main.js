/* Puts the parts together once the data are there. */
import { $, make, readData, redrawAll, setTheme, startTheme, state } from './core.js';
import { GraphView } from './graph.js';
import { MatrixView } from './matrix.js';
import { RunView } from './run.js';
import { SourceView } from './source.js';

/* Links to lines (a href="#L12") work as in the plain page, and choose the line. */
function followLines() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#L"]');
    if (!link || !state.source) return;
    event.preventDefault();
    state.source.goTo(Number(link.getAttribute('href').slice(2)));
  });
}

/* A printed report is light and has everything open. */
function preparePrinting() {
  let closed = [];
  let theme = 'light';
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    setTheme('light');
    closed = Array.from(document.querySelectorAll('details:not([open])'));
    closed.forEach((node) => {
      node.open = true;
    });
  });
  addEventListener('afterprint', () => {
    closed.forEach((node) => {
      node.open = false;
    });
    setTheme(theme);
  });
}

/* With --watch: a hidden copy of the page tells its stamp; a new one means a new report. */
function watchForChange() {
  const stamp = document.documentElement.dataset.watch;
  if (!stamp) return;
  addEventListener('message', (event) => {
    const text = String(event.data);
    if (!text.startsWith('daetool ') || text === `daetool ${stamp}`) return;
    sessionStorage.setItem('daetool-scroll', String(scrollY));
    location.reload();
  });
  const kept = sessionStorage.getItem('daetool-scroll');
  if (kept) scrollTo(0, Number(kept));
  sessionStorage.removeItem('daetool-scroll');
  setInterval(() => {
    const old = $('probe');
    if (old) old.remove();
    document.body.append(
      make('iframe', {
        id: 'probe',
        hidden: '',
        'aria-hidden': 'true',
        src: `${location.href.split('#')[0]}#probe`,
      }),
    );
  }, 1500);
}

async function startReport() {
  startTheme();
  followLines();
  preparePrinting();
  const data = await readData();
  state.data = data;
  state.source = new SourceView(data);
  state.views.push(state.source);
  if (data.entry_row) {
    state.matrix = new MatrixView(data);
    state.views.push(state.matrix);
    if ($('graph')) state.views.push(new GraphView(data));
  }
  if (data.run_time) {
    state.run = new RunView(data);
    window.daetoolRange = () => state.run.axis.range; /* for tests: the time that is shown */
    state.views.push(state.run);
  }
  new ResizeObserver(redrawAll).observe(document.body);
  redrawAll();
  watchForChange();
  document.documentElement.dataset.ready = 'yes';
}

startReport().catch((error) => {
  const text = `The interactive parts of this report could not start: ${error.message}`;
  document.body.prepend(make('p', { class: 'trouble', role: 'alert' }, text));
});

/* What a reader does with a report, in Chromium: browser.mjs CHROMIUM FOLDER. One line for each
 * test, as Unity prints it. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [, , executable, folder] = process.argv;
const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
let failures = 0;

function claim(condition, message) {
  if (!condition) throw new Error(message);
}

/* A page with ears: errors, messages on the console and requests are collected. */
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  const heard = [];
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('console', (message) => heard.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') || request.resourceType() !== 'document')
      heard.push(`request: ${request.url().slice(0, 99)}`);
  });
  const begin = Date.now();
  await page.goto(`file://${join(folder, `${name}.html`)}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  return { page, heard, ms: Date.now() - begin, close: () => context.close() };
}

async function test(name, body) {
  try {
    await body();
    console.log(`test_${name}:PASS`);
  } catch (error) {
    failures += 1;
    console.log(`test_${name}:FAIL: ${error.message.split('\n')[0]}`);
  }
}

/* Bytes of a picture of an element; different pictures have different hashes. */
async function picture(page, selector, file) {
  const bytes = await page.locator(selector).screenshot();
  if (file) writeFileSync(join(folder, file), bytes);
  return { size: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') };
}

/* How many colours a canvas has: a blank one has one. */
function colours(page, selector) {
  return page
    .locator(selector)
    .first()
    .evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4)
        seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2] | (data[i + 3] << 24));
      return seen.size;
    });
}

/* The middle of entry (row, column) of the matrix on the screen. */
async function entryPlace(page, row, column) {
  await page.locator('#matrix').scrollIntoViewIfNeeded();
  const box = await page.locator('#matrix').boundingBox();
  const cell = Number(await page.locator('#matrix').getAttribute('data-cell'));
  return [box.x + 64 + (column + 0.5) * cell, box.y + 64 + (row + 0.5) * cell];
}

/* Places in the first panel of curves: a part of the shown time becomes a point of the screen. */
async function inCurves(page) {
  const area = page.locator('#curves .u-over').first();
  await area.scrollIntoViewIfNeeded();
  const box = await area.boundingBox();
  return (part) => [box.x + part * box.width, box.y + 60];
}

const lineChosen = (page) => page.locator('#source .chosen .place').textContent();

await test('no_error_and_no_request_in_any_page', async () => {
  for (const name of ['pendulum', 'two_volumes', 'peg', 'rectifier', 'singular', 'ladder']) {
    const { heard, page, close } = await open(name);
    await page.mouse.wheel(0, 3000);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    claim(width <= 1200, `${name} is ${width} pixels wide`);
    claim(heard.length === 0, `${name}: ${heard.join('; ')}`);
    await close();
  }
});

await test('pictures_are_not_blank', async () => {
  const { page, close } = await open('pendulum');
  claim((await colours(page, '#matrix')) > 5, 'the matrix is blank');
  claim((await colours(page, '#curves canvas')) > 5, 'the curves are blank');
  claim((await colours(page, '#steps canvas')) > 2, 'the steps are blank');
  const whole = await page.screenshot({ fullPage: true, path: join(folder, 'pendulum.png') });
  claim(whole.length > 50000, `the page is ${whole.length} bytes as a picture`);
  await close();
});

await test('hover_tells_equation_variable_and_sigma', async () => {
  const { page, close } = await open('pendulum');
  await page.check('input[value="written"]');
  await page.mouse.move(...(await entryPlace(page, 4, 0)));
  const text = await page.locator('#tip').textContent();
  claim(text.includes('x^2 + y^2 = L^2'), `no equation in: ${text}`);
  claim(text.includes('variable x'), `no variable in: ${text}`);
  claim(text.includes('σ = 0'), `no sigma in: ${text}`);
  await page.mouse.move(...(await entryPlace(page, 0, 0)));
  claim((await page.locator('#tip').textContent()).includes('σ = 1'), 'not the derivative of x');
  await close();
});

await test('click_goes_to_the_source_line', async () => {
  const { page, close } = await open('pendulum');
  await page.check('input[value="written"]');
  await page.mouse.click(...(await entryPlace(page, 4, 1)));
  const source = readFileSync(join(process.cwd(), '../../examples/pendulum.mo'), 'utf8').split(
    '\n',
  );
  const wanted = source.findIndex((line) => line.startsWith('  x^2 + y^2')) + 1;
  claim(Number(await lineChosen(page)) === wanted, `line ${await lineChosen(page)}, not ${wanted}`);
  claim(await page.locator('#source .chosen').isVisible(), 'the line is not in sight');
  await page.locator('#section-equations a[href^="#L"]').first().click();
  claim(
    (await page.locator('#source .chosen code').textContent()).includes('der(x) = u'),
    'the link of an equation',
  );
  await close();
});

await test('the_wheel_zooms_once_the_matrix_has_focus', async () => {
  const { page, close } = await open('two_volumes');
  const size = async () => Number(await page.locator('#matrix').getAttribute('data-cell'));
  const before = await size();
  const first = await picture(page, '#matrix');
  await page.locator('#matrix').focus();
  await page.mouse.move(...(await entryPlace(page, 5, 5)));
  await page.mouse.wheel(0, -600);
  await page.waitForTimeout(100);
  claim((await size()) > 1.2 * before, `cell ${before} became ${await size()}`);
  claim((await picture(page, '#matrix')).hash !== first.hash, 'the picture did not change');
  await page.click('#matrix-fit');
  claim(Math.abs((await size()) - before) < 1e-3, 'all is not as before');
  await close();
});

await test('the_matrix_works_with_the_keyboard', async () => {
  const { page, close } = await open('pendulum');
  await page.locator('#matrix').focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  claim(
    (await page.locator('#live').textContent()).startsWith('equation '),
    'nothing is announced',
  );
  await page.keyboard.press('Enter');
  claim(Number(await lineChosen(page)) > 0, 'no line was chosen');
  await close();
});

await test('curves_zoom_pan_and_share_a_cursor', async () => {
  const { page, close } = await open('pendulum');
  const at = await inCurves(page);
  const range = () => page.evaluate(() => window.daetoolRange());
  await page.mouse.move(...at(0.5));
  const values = await page.locator('.panel output').allTextContents();
  claim(
    values.length >= 8 && values.every((text) => text !== ''),
    `the cursor tells ${values.join(' ')}`,
  );
  await page.mouse.move(...at(0.25));
  await page.mouse.down();
  await page.mouse.move(...at(0.5), { steps: 4 });
  await page.mouse.up();
  const [low, high] = await range();
  claim(Math.abs(low - 1) < 0.1 && Math.abs(high - 2) < 0.1, `zoomed to ${low} … ${high}`);
  await page.keyboard.down('Shift');
  await page.mouse.move(...at(0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.25), { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  claim((await range())[0] > low + 0.1, 'Shift and drag did not move');
  await page.mouse.dblclick(...at(0.5));
  claim((await range())[1] === 4, 'a double click shows the whole time');
  await close();
});

await test('events_tell_their_cause', async () => {
  const { page, close } = await open('peg');
  const at = await inCurves(page);
  await page.mouse.move(...at(0.5148129 / 5)); /* the first event */
  const tip = await page.locator('#tip').textContent();
  claim(tip.includes('event at t = 0.514813'), `no event in: ${tip}`);
  claim(tip.includes('x > 0 (line 26)'), `no cause in: ${tip}`);
  claim(tip.includes('caught = true'), `no change in: ${tip}`);
  await page.locator('#curves .curves').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  const heard = await page.locator('#live').textContent();
  claim(heard.startsWith('event at t = 0.514813; x > 0'), `n announces: ${heard}`);
  await page.keyboard.press('n');
  await page.keyboard.press('p');
  claim((await page.locator('#live').textContent()) === heard, 'p does not go back');
  const told = await page.locator('.panel', { hasText: 'caught' }).locator('output').textContent();
  claim(told === 'true', `caught is ${told} at its event`);
  await page.locator('details', { hasText: 'what changed' }).locator('a').first().click();
  claim(Number(await lineChosen(page)) === 26, 'the link of a cause');
  await picture(page, 'main', 'peg.png');
  await close();
});

await test('curves_upon_each_other_are_dashed', async () => {
  const { page, close } = await open('rectifier');
  const dashes = await page
    .locator('#curves .key line')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke-dasharray')));
  claim(dashes.some((d) => d === '') && dashes.some((d) => d !== ''), `dashes: ${dashes}`);
  await close();
});

await test('curves_can_be_chosen', async () => {
  const { page, close } = await open('pendulum');
  await page.locator('details.choose summary').click();
  await page.fill('#filter', 'lam');
  claim((await page.locator('#choice label').count()) === 1, 'the filter');
  const before = await page.locator('#curves .key').count();
  await page.locator('#choice input').uncheck();
  claim((await page.locator('#curves .key').count()) === before - 1, 'a curve stays');
  await close();
});

await test('dark_mode_by_system_and_by_button', async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open('pendulum');
  const dark = await open('pendulum', { colorScheme: 'dark' });
  const colour = [await ground(light.page), await ground(dark.page)];
  claim(colour[0] !== colour[1], "the system's choice is not followed");
  const before = await picture(light.page, '#matrix');
  await light.page.click('#theme');
  claim((await ground(light.page)) === colour[1], 'the button does not darken');
  claim(
    (await picture(light.page, '#matrix')).hash !== before.hash,
    'the matrix is not drawn again',
  );
  claim(
    (await light.page.locator('#theme').getAttribute('aria-pressed')) === 'true',
    'not told to a screen reader',
  );
  await picture(dark.page, 'main', 'dark.png');
  await light.close();
  await dark.close();
});

await test('printing_opens_everything_and_is_light', async () => {
  const { page, close } = await open('pendulum', { colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  claim((await page.locator('details:not([open])').count()) === 0, 'something is closed');
  claim(
    (await page.evaluate(() => document.documentElement.dataset.theme)) === 'light',
    'dark on paper',
  );
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'print' });
  claim(await page.locator('nav').isHidden(), 'the navigation is printed');
  await close();
});

await test('everything_has_an_accessible_name', async () => {
  const { page, close } = await open('two_volumes');
  const parts = 'button, input, canvas:not(.curves *), section, nav, [tabindex="0"]';
  const nameless = await page.evaluate((selector) =>
    Array.from(document.querySelectorAll(selector))
      .filter(
        (e) =>
          !(
            e.getAttribute('aria-label') ||
            e.getAttribute('aria-labelledby') ||
            e.textContent.trim() ||
            (e.labels && e.labels.length > 0)
          ),
      )
      .map((e) => e.outerHTML.slice(0, 80)),
    parts,
  );
  claim(nameless.length === 0, nameless.join(' '));
  claim((await page.evaluate(() => document.documentElement.lang)) === 'en', 'no language');
  await close();
});

await test('mathematics_is_typeset', async () => {
  const { page, close } = await open('two_volumes');
  const size = await page.evaluate(() => {
    const fraction = document.querySelector('mfrac');
    return fraction ? fraction.getBoundingClientRect().height : 0;
  });
  claim(size > 10, `a fraction is ${size} pixels high`);
  await close();
});

await test('singular_parts_are_marked_in_the_source', async () => {
  const { page, close } = await open('singular');
  claim((await page.locator('#source .over').count()) === 2, 'over-determined lines');
  await picture(page, 'main', 'singular.png');
  await close();
});

await test('block_graph_has_a_node_for_each_block', async () => {
  const { page, close } = await open('two_volumes');
  claim((await page.locator('#graph .node').count()) === 5, 'nodes');
  await page.locator('#graph .node').first().click();
  claim(Number(await lineChosen(page)) > 0, 'a click on a block goes to its line');
  await close();
});

// What is drawn, not how long it takes, shows that a page grows with the window and not with the
// model: the machine may be busy.
await test('a_hundred_thousand_equations_need_few_elements', async () => {
  const { page, ms, close } = await open('ladder');
  console.log(`  open after ${ms} ms`);
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  claim((await elements()) < 20000, `${await elements()} elements`);
  claim((await colours(page, '#matrix')) > 2, 'the matrix is blank');
  await page.locator('#matrix').focus();
  for (let k = 0; k < 41; k++) await page.keyboard.press('+');
  await page.mouse.move(...(await entryPlace(page, 3, 3)));
  await page.mouse.click(...(await entryPlace(page, 3, 3)));
  claim(Number(await lineChosen(page)) > Number(process.env.STAGES), 'a line far down');
  claim((await elements()) < 20000, `${await elements()} elements after zooming`);
  await close();
});

await browser.close();
process.exit(failures > 0 ? 1 : 0);

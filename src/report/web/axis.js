/* Round ticks and readable numbers for the axes of the plots. */

function roundStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

const countTicks = (low, high, step) =>
  Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;

export function linearTicks(low, high, wanted, isWhole = false)
{
  let step = roundStep((high - low) / wanted);
  for (let k = 0; k < 2 && countTicks(low, high, step) < 4; k++) {
    step *= step / 10 ** Math.floor(Math.log10(step) + 1e-9) > 4 ? 0.4 : 0.5;
  }
  if (isWhole)
    step = Math.max(step, 1);
  const ticks = [];
  for (
    let k = Math.ceil(low / step - 1e-9);
    k * step <= high + 1e-9 * step && ticks.length < 100;
    k++
  ) {
    ticks.push(k * step);
  }
  return { ticks, step };
}

/* Exponents of the powers of ten in a range of logarithms; at least two are shown. */
export function logTicks(low, high, wanted) {
  const step = Math.max(1, Math.ceil((high - low) / wanted));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9) * step; k <= high + 1e-9; k += step) ticks.push(k);
  return { ticks, step };
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
export function raised(number) {
  return String(number)
    .replace('-', '⁻')
    .replace(/\d/g, (d) => raisedDigits[d]);
}

/* Labels of ticks: a common factor or offset is taken out where the numbers would be long. */
export function tickFormat(low, high, step) {
  let offset = 0;
  let largest = Math.max(Math.abs(low), Math.abs(high));
  if (step < 1e-5 * largest) {
    const unit = 10 ** Math.ceil(Math.log10(high - low));
    offset = Math.round((low + high) / 2 / unit) * unit;
    largest = Math.max(Math.abs(low - offset), Math.abs(high - offset));
  }
  const power = largest > 0 ? Math.floor(Math.log10(largest) + 1e-9) : 0;
  const exponent = power >= 5 || power < -3 ? power : 0;
  const decimals = Math.min(15, Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9)));
  const text = (value) => {
    const shown = Math.abs(value - offset) < 1e-6 * step ? 0 : (value - offset) / 10 ** exponent;
    return shown.toFixed(decimals).replace('-', '−');
  };
  const scale =
    (exponent !== 0 ? `×10${raised(exponent)}` : '') +
    (offset !== 0 ? ` ${offset < 0 ? '−' : '+'} ${Math.abs(offset)}` : '');
  return { text, scale };
}

/* A value in a read-out: about six digits. */
export function readable(value) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(5) : value.toPrecision(6);
  return text
    .replace(/(\.\d*?)0+(e|$)/, '$1$2')
    .replace(/\.(e|$)/, '$1')
    .replace('-', '−')
    .replace('e-', 'e−');
}

/* m3/s as m³/s, N.m as N·m, s-1 as s⁻¹, degC as °C. */
export function prettyUnit(unit) {
  if (unit === 'degC') return '°C';
  if (unit === 'Ohm') return 'Ω';
  return unit
    .replace(/([A-Za-z)])(-?\d+)/g, (_, letter, digits) => letter + raised(digits))
    .replace(/\.(?=[A-Za-z(])/g, '·');
}

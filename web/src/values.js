// Reads points and dates as numbers, in functions with the names of @sabaki/sgf.

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function parseVertex(text) {
  const [x, y] = [LETTERS.indexOf(text[0] ?? ' '), LETTERS.indexOf(text[1] ?? ' ')];
  return text.length === 2 && x >= 0 && y >= 0 ? [x, y] : [-1, -1];
}

export function stringifyVertex([x, y]) {
  const letters = [LETTERS[x], LETTERS[y]];
  return letters.includes(undefined) ? '' : letters.join('');
}

export function parseCompressedVertices(text) {
  const corners = text.split(':').map(parseVertex);
  const [[x0, y0], [x1, y1]] = [corners[0], corners.at(-1)];
  if (corners.length > 2 || x0 < 0 || x1 < 0) return [[-1, -1]];
  const vertices = [];
  for (let x = Math.min(x0, x1); x <= Math.max(x0, x1); x++) {
    for (let y = Math.min(y0, y1); y <= Math.max(y0, y1); y++) vertices.push([x, y]);
  }
  return vertices;
}

const isDate = ([, month = 1, day = 1]) => month >= 1 && month <= 12 && day >= 1 && day <= 31;

export function parseDates(text) {
  const dates = [];
  if (text.trim() === '') return dates;
  for (const part of text.split(',').map((part) => part.trim())) {
    const [year, month, day] = dates.at(-1) ?? [];
    const numbers = part.split('-').map(Number);
    let date = null;
    if (/^\d{4}(-\d{1,2}){0,2}$/.test(part)) date = numbers;
    // After a month, a number is a month. After a day, it is a day, or a month and a day.
    else if (/^\d{1,2}$/.test(part) && month !== undefined) date = [year, ...(day === undefined ? [] : [month]), ...numbers];
    else if (/^\d{1,2}-\d{1,2}$/.test(part) && day !== undefined) date = [year, ...numbers];
    if (date === null || !isDate(date)) return null;
    dates.push(date);
  }
  return dates;
}

export function stringifyDates(dates) {
  const two = (number) => String(number).padStart(2, '0');
  return dates
    .map(([year, month, day], at) => {
      const [lastYear, lastMonth] = dates[at - 1] ?? [];
      const whole = [String(year).padStart(4, '0'), month, day].filter((part) => part !== undefined);
      // A date omits equal parts only if it has as many parts as the date before.
      const isLike = year === lastYear && whole.length > 1 && dates[at - 1].length === whole.length;
      const same = !isLike ? 0 : day !== undefined && month === lastMonth ? 2 : 1;
      return whole.map((part) => (typeof part === 'number' ? two(part) : part)).slice(same).join('-');
    })
    .join();
}

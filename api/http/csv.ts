/** Prefixes fields that a spreadsheet would run as a formula, as OWASP recommends. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** Spreadsheets also read full-width operators, and skip white space before an operator. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

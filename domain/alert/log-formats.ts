/** A field of a log line, as written. */
export interface LogField {
  readonly name: string;
  readonly value: string;
}

/** The header of a CEF or LEEF line, and its fields. */
export interface LogEvent {
  readonly format: 'CEF' | 'LEEF';
  readonly name: string;
  /** CEF: 0 to 10, or a word. */
  readonly severity: string | null;
  readonly fields: readonly LogField[];
}

const START = /\b(?:CEF:\s?[01]|LEEF:\s?([12])\.0)\|/;
const MAX_LINE_LENGTH = 64 * 1024;

/** The event of one line in CEF or LEEF, possibly after a syslog header; null where the line has another format. */
export function parseLogEvent(line: string): LogEvent | null {
  const start = START.exec(line);
  if (!start) return null;
  const body = line.slice(start.index + start[0].length, start.index + MAX_LINE_LENGTH);
  if (start[1] === undefined) {
    const [, , , , name = '', severity = '', extension = ''] = splitHeader(body, 6);
    return { format: 'CEF', name, severity, fields: withCustomLabels(parseExtension(extension)) };
  }
  const [, , , name = '', ...rest] = splitHeader(body, start[1] === '2' ? 5 : 4);
  const declared = start[1] === '2' ? toDelimiter(rest[0] ?? '') : null;
  // A LEEF 2.0 line without a declared delimiter looks like LEEF 1.0.
  const isDeclared = start[1] === '1' || declared !== null;
  const attributes = isDeclared ? (rest.at(-1) ?? '') : rest.join('|');
  return { format: 'LEEF', name, severity: null, fields: splitAttributes(attributes, declared ?? '\t') };
}

/** The parts of the header, and the rest as the last part. `\|` is not a separator. */
function splitHeader(body: string, parts: number): string[] {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < body.length && found.length < parts; at += 1) {
    if (body[at] === '\\') at += 1;
    else if (body[at] === '|') {
      found.push(body.slice(from, at).replace(/\\([|\\])/g, '$1'));
      from = at + 1;
    }
  }
  return [...found, body.slice(from)];
}

/** `^`, `x5E`, `0x5E`, a tab; null where the part is not a delimiter. */
function toDelimiter(part: string): string | null {
  const code = /^\\?0?x([0-9a-f]{1,4})$/i.exec(part)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (part === '\\t') return '\t';
  if (part === '') return '\t';
  return part.length === 1 ? part : null;
}

function splitAttributes(attributes: string, delimiter: string): LogField[] {
  // Relays replace tabs by spaces.
  const parts = attributes.includes(delimiter) || delimiter !== '\t' ? attributes.split(delimiter) : null;
  return parts === null ? parseExtension(attributes) : parts.flatMap(toField);
}

function toField(part: string): LogField[] {
  const equals = part.indexOf('=');
  return equals > 0 ? [{ name: part.slice(0, equals).trim(), value: part.slice(equals + 1).trim() }] : [];
}

const KEY = /(?:^|\s)([\w.[\]-]{1,64})=/g;

/** `key=value key=value`, where values contain spaces. */
function parseExtension(extension: string): LogField[] {
  const keys = [...extension.matchAll(KEY)];
  return keys.map(({ 0: written, 1: name = '', index }, position) => {
    const value = extension.slice(index + written.length, keys[position + 1]?.index ?? extension.length);
    return { name, value: value.trim().replace(/\\([=\\|nr])/g, (_, char: string) => (char === 'n' || char === 'r' ? '\n' : char)) };
  });
}

/** `cs1Label=Device ID cs1=…` is the field `Device ID`. */
function withCustomLabels(fields: readonly LogField[]): LogField[] {
  const labels = new Map(
    fields.filter(({ name }) => name.endsWith('Label')).map(({ name, value }) => [name.slice(0, -'Label'.length), value]),
  );
  return fields.filter(({ name }) => !name.endsWith('Label')).map(({ name, value }) => ({ name: labels.get(name) ?? name, value }));
}

const PRIORITY = String.raw`(?:<(?<priority>\d{1,3})>)?`;
const RFC5424 = /^<(?<priority>\d{1,3})>1 (?:-|\d{4}-\d\d-\d\dT\S{8,40}) (?<host>\S{1,255}) \S{1,128} \S{1,128} \S{1,128} /;
const RFC3164 = new RegExp(
  String.raw`^${PRIORITY}(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]{8,16}(?:Z|[+-]\d\d:?\d\d)?) (?<host>[\w.:-]{1,255}) (?=[\w./-]{1,64}(?:\[\d{1,10}\])?: )`,
);

/** The header of a syslog line: the host that sent it, the severity (0 is the worst), and its length. */
export function parseSyslogHeader(line: string): { host: string | null; severity: number | null; length: number } | null {
  const header = RFC5424.exec(line) ?? RFC3164.exec(line) ?? /^<(?<priority>\d{1,3})>/.exec(line);
  if (!header) return null;
  const { host, priority } = header.groups ?? {};
  return {
    host: host === undefined || host === '-' ? null : host,
    severity: priority === undefined ? null : Number(priority) % 8,
    length: header[0].length,
  };
}

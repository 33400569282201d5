import { Parser } from 'htmlparser2';
import type { ContentReader, TextFormat } from '../../domain/alert/alert-content.js';
import { compact, type Field } from '../../domain/alert/json-walk.js';

const FIRST_TAG = /<(\?xml|!doctype|[a-z][\w:.-]{0,100})(?:\s[^<>]{0,2000})?\/?>/i;
const HTML_TAGS = new Set(
  '!doctype html head body div p br b i u a hr ul ol li span font table tbody thead tr td th center strong em img pre style meta title h1 h2 h3 h4 blockquote'.split(
    ' ',
  ),
);
/** Without an end tag or an end, `<word>` is a placeholder in a sentence. */
const CLOSED = /<\/[a-z][\w:.-]{0,100}\s{0,8}>|\/>|<br/i;

/** HTML and XML, possibly after other text. */
export const markup: TextFormat = (text, reader, depth) => {
  const first = text.includes('<') ? FIRST_TAG.exec(text) : null;
  if (!first || !CLOSED.test(text)) return false;
  if (first.index > 0) reader.readProse(text.slice(0, first.index));
  const rest = text.slice(first.index);
  if (HTML_TAGS.has((first[1] ?? '').toLowerCase())) readHtml(rest, reader, depth);
  else readXml(rest, reader, depth);
  return true;
};

const BLOCKS = new Set('p div br hr ul ol li table tr h1 h2 h3 h4 h5 h6 blockquote pre section article dt dd title'.split(' '));
const LINK_ATTRIBUTES = ['href', 'src', 'action', 'content', 'background'];
const MAX_CELL_LENGTH = 500;
const MAX_OPEN_TABLES = 50;

interface OpenTable {
  readonly rows: string[][];
  cell: string | null;
  /** A table for the layout of a page holds other tables. */
  isLayout: boolean;
  /** Each row begins with a cell for a name, and its other cells are values. */
  hasNameColumn: boolean;
}

/** Reads the shown text, the links, and the tables that hold no other table. */
function readHtml(html: string, reader: ContentReader, depth: number): void {
  const text: string[] = [];
  const links: string[] = [];
  const open: OpenTable[] = [];
  const endCell = () => {
    const table = open.at(-1);
    if (table?.cell == null) return;
    table.rows.at(-1)?.push(table.cell.trim());
    table.cell = null;
  };
  const endTable = () => {
    endCell();
    const table = open.pop();
    if (table && !table.isLayout && table.rows.every((row) => row.every((cell) => cell.length <= MAX_CELL_LENGTH)))
      reader.readRows(table.rows, depth, { hasNameColumn: table.hasNameColumn });
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (BLOCKS.has(name)) text.push('\n');
        for (const attribute of LINK_ATTRIBUTES) {
          const link = attributes[attribute];
          if (link?.includes(':')) links.push(link);
        }
        if (name === 'table' && open.length < MAX_OPEN_TABLES) {
          const outer = open.at(-1);
          if (outer) outer.isLayout = true;
          open.push({ rows: [], cell: null, isLayout: false, hasNameColumn: true });
        }
        const table = open.at(-1);
        if (table && name === 'tr') table.rows.push([]);
        if (table && (name === 'td' || name === 'th')) {
          endCell();
          text.push(' ');
          table.cell = '';
          const isFirst = table.rows.at(-1)?.length === 0;
          if ((name === 'th') !== isFirst) table.hasNameColumn = false;
        }
      },
      ontext(shown) {
        text.push(shown);
        const table = open.at(-1);
        if (table?.cell != null && table.cell.length <= MAX_CELL_LENGTH) table.cell += shown;
      },
      onclosetag(name) {
        if (BLOCKS.has(name)) text.push('\n');
        if (name === 'td' || name === 'th') endCell();
        if (name === 'table') endTable();
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.end(html);
  while (open.length > 0) endTable();
  reader.readProse(text.join(''));
  if (links.length > 0) reader.readProse(links.join('\n'));
}

interface Element {
  readonly field: Field;
  text: string;
}

/** An XML document names namespaces and schemas by addresses that are no indicators. */
const NAMESPACE = /^(?:xmlns|xsi|xml)(?::|$)/i;
/** `<Data Name="TargetUserName">` is the field TargetUserName. */
const NAMED_ELEMENT = /^(?:data|property|field|param|parameter|attribute|entry|item|value|column|element|string)$/;
const MAX_OPEN_ELEMENTS = 500;

function readXml(xml: string, reader: ContentReader, depth: number): void {
  const outside: string[] = [];
  const elements: Element[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const parent = elements.at(-1);
        if (elements.length === MAX_OPEN_ELEMENTS) return;
        const tagName = compact(tag.slice(tag.indexOf(':') + 1));
        const byAttribute = NAMED_ELEMENT.test(tagName) ? (attributes['Name'] ?? attributes['name'] ?? attributes['key']) : undefined;
        const field: Field = {
          name: byAttribute === undefined ? tagName : compact(byAttribute),
          owner: parent?.field.name ?? '',
          ...(parent ? { parent: parent.field } : {}),
        };
        elements.push({ field, text: '' });
        for (const [name, value] of Object.entries(attributes)) {
          if (!NAMESPACE.test(name) && value !== byAttribute)
            reader.readField({ name: compact(name), owner: field.name, parent: field }, value, depth);
        }
      },
      ontext(text) {
        const element = elements.at(-1);
        if (element) element.text += text;
        else outside.push(text);
      },
      onclosetag() {
        const element = elements.pop();
        const text = element?.text.trim() ?? '';
        if (element && text !== '') reader.readField(element.field, text, depth);
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.end(xml);
  if (outside.join('').trim() !== '') reader.readProse(outside.join(''));
}

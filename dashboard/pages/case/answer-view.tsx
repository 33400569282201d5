import { Code, Table, Text } from '@mantine/core';
import { toLabel } from '../../components/schema.js';

const MAX_ROWS = 25;
const MAX_COLUMNS = 8;
const MAX_FIELDS = 60;
const MAX_TEXT = 300;

type Fields = Readonly<Record<string, unknown>>;

/** A list as a table, an object as a card of fields, anything else as text. Text from outside is never markup. */
export function AnswerView({ value }: { value: unknown }) {
  if (!isFields(value)) return <Code className="wrapped">{toText(value)}</Code>;
  const { items } = value;
  if (Array.isArray(items) && items.every(isFields)) return <ItemTable items={items} />;
  return <FieldTable fields={value} />;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) && value.every(isScalar) ? value.join(', ') : JSON.stringify(value);
  return text === undefined ? '' : text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function FieldTable({ fields }: { fields: Fields }) {
  const filled = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  if (filled.length === 0) return <Text size="sm">The answer is empty.</Text>;
  return (
    <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} fz="sm" aria-label="Answer fields">
      <Table.Tbody>
        {filled.slice(0, MAX_FIELDS).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td w="35%" valign="top" className="breakable" pr="sm">
              {toLabel(name)}
            </Table.Td>
            <Table.Td className="wrapped">{toText(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The columns that have a value in at least one item, simple values first. */
function chooseColumns(items: readonly Fields[]): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item).filter((name) => !isEmpty(item[name]))))];
  const isSimple = (name: string) => items.every((item) => isScalar(item[name] ?? null));
  return [...names.filter(isSimple), ...names.filter((name) => !isSimple(name))].slice(0, MAX_COLUMNS);
}

function ItemTable({ items }: { items: readonly Fields[] }) {
  if (items.length === 0) return <Text size="sm">The third party found nothing.</Text>;
  const shown = items.slice(0, MAX_ROWS);
  const columns = chooseColumns(shown);
  return (
    <>
      <Table.ScrollContainer minWidth={columns.length * 110}>
        <Table fz="xs" aria-label="Answer items">
          <Table.Thead>
            <Table.Tr>
              {columns.map((name) => (
                <Table.Th key={name}>{toLabel(name)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a stored answer have no ids and never change their order.
              <Table.Tr key={index}>
                {columns.map((name) => (
                  <Table.Td key={name} valign="top" className="breakable">
                    {isEmpty(item[name]) ? '–' : toText(item[name])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {items.length > shown.length && (
        <Text size="xs">
          Shows {shown.length} of {items.length} items. Raw JSON has all of them.
        </Text>
      )}
    </>
  );
}

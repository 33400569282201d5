import { describe, expect, it } from 'vitest';
import { toJsonSchema } from '../../api/http/openapi.js';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import { chooseInput, createDraft, createExample, type Field, fill, listFields } from '../../dashboard/components/schema.js';

const contracts: Catalogue = catalogue;
const field = (schema: Record<string, unknown>, more: Partial<Field> = {}): Field => ({
  name: 'it',
  label: 'It',
  help: '',
  secret: false,
  required: false,
  schema,
  ...more,
});
const sent = (schema: Record<string, unknown>, draft: Parameters<typeof fill>[1][string]) =>
  fill([field(schema)], { it: draft }).value['it'];

describe('a form made from a JSON Schema', () => {
  it('has an input for every field of every skill; only a list of different commands is a JSON text area', () => {
    const asJson = Object.values(contracts).flatMap(({ kind, skills }) =>
      Object.values(skills).flatMap(({ title, input }) =>
        listFields(toJsonSchema(input, 'input')).flatMap(({ name, schema }) =>
          chooseInput(schema).kind === 'json' ? [`${kind}: ${title}: ${name}`] : [],
        ),
      ),
    );
    expect(asJson).toEqual(['endpoint-detection: Run live response: commands']);
  });

  it('creates an example for a JSON text area', () => {
    const commands = listFields(toJsonSchema(catalogue.endpointDetection.skills.runLiveResponse.input, 'input')).at(-1);
    expect(createExample(commands?.schema)).toEqual([
      { type: 'PutFile', file_name: '…' },
      { type: 'RunScript', script_name: '…', args: '…' },
      { type: 'GetFile', path: '…' },
    ]);
  });

  it('sends each kind of field in the format of the API', () => {
    expect(sent({ type: 'string' }, 'text')).toBe('text');
    expect(sent({ type: 'integer' }, '12')).toBe(12);
    expect(sent({ type: 'boolean' }, 'false')).toBe(false);
    expect(sent({ enum: ['a', 'b'] }, 'b')).toBe('b');
    expect(sent({ type: 'array', items: { enum: ['a', 'b'] } }, ['a'])).toEqual(['a']);
    expect(sent({ type: 'array', items: { type: 'integer' } }, ['1', '2'])).toEqual([1, 2]);
    expect(sent({ type: 'integer', format: 'epoch-seconds' }, '2026-01-01T00:00:00Z')).toBe(1_767_225_600);
    expect(sent({ anyOf: [{ type: 'string' }, { type: 'string' }] }, '192.0.2.1')).toBe('192.0.2.1');
    expect(sent({ type: 'object', properties: { inner: { type: 'integer' } } }, { inner: '3' })).toEqual({ inner: 3 });
    expect(sent({ type: 'object' }, '{"any": [1]}')).toEqual({ any: [1] });
  });

  it('is a choice while its options are not loaded yet, and keeps the chosen one', () => {
    const people = field({ enum: [] });
    expect(chooseInput(people.schema)).toEqual({ kind: 'choice', options: [] });
    expect(createDraft([people], { it: 'Dana' })).toEqual({ it: 'Dana' });
  });

  it('leaves out empty fields', () => {
    const fields = [field({ type: 'string' }), field({ type: 'array', items: { type: 'string' } }, { name: 'list' })];
    expect(fill(fields, { it: '', list: [] })).toEqual({ value: {}, errors: new Map() });
    expect(fill([field({ type: 'string' }, { required: true })], { it: ' \n' }).errors).toEqual(new Map([['#/it', 'It is required']]));
  });

  it('reports each missing or invalid field by its pointer', () => {
    const group = field({ type: 'object', properties: { port: { type: 'integer' }, host: { type: 'string' } }, required: ['host'] });
    expect(fill([group], { it: { port: 'x' } }, '#/credentials').errors).toEqual(
      new Map([
        ['#/credentials/it/port', 'Enter a number'],
        ['#/credentials/it/host', 'Host is required'],
      ]),
    );
    expect(fill([field({})], { it: '{' }).errors).toEqual(new Map([['#/it', 'Enter valid JSON']]));
  });

  it('sends a stored value back unchanged', () => {
    const fields = [
      field({ type: 'string' }, { name: 'host' }),
      field({ type: 'integer' }, { name: 'port' }),
      field({ type: 'boolean' }, { name: 'tls' }),
      field({ type: 'array', items: { type: 'string' } }, { name: 'tags' }),
    ];
    const stored = { host: 'files', port: 8443, tls: false, tags: ['a'] };
    expect(fill(fields, createDraft(fields, stored)).value).toEqual(stored);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { LARGE_BYTES } from '../../../platform/run-serially.js';
import { ReportReader } from '../../../services/agents/report-reader.js';

const SKILL = 'endpointDetection.runAdvancedQuery';
const reader = new ReportReader();
afterAll(() => reader.close());

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `row ${n} of an answer` }));
const report = (output: unknown) => ({ outcome: 'ok', claim: '1', output, duration_ms: 5 });
const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

describe.each([
  ['small', 1],
  ['large', 5_000],
])('a %s report', (size, count) => {
  const output = { schema: [{ name: 'n', type: 'Int' }], items: rows(count), total: count, cut: null };

  it('is checked with the contract of its skill', async () => {
    const body = bytes(report({ ...output, unknown: 1 }));
    expect(body.length > LARGE_BYTES).toBe(size === 'large');
    const read = await reader.read(body, SKILL);
    expect(read).toMatchObject({ outcome: 'answered', claim: '1', end: { durationMs: 5, shown: { truncated: size === 'large' } } });
    expect(JSON.parse('end' in read ? read.end.json : '')).toEqual({ ...output, omitted: 0 });
    expect(await reader.read(bytes(report(rows(count))), SKILL)).toMatchObject({ outcome: 'unexpected', claim: '1' });
  });

  it('is refused with the problem if it has another form', async () => {
    await expect(reader.read(bytes({ ...report(output), claim: 'x' }), SKILL)).rejects.toMatchObject({
      refusal: 'invalid',
      errors: [{ pointer: '#/claim' }],
    });
    const text = JSON.stringify(report(output));
    for (const broken of [text.slice(0, -1), text.replace('"n":', '"__proto__":'), `${'['.repeat(70)}${text}${']'.repeat(70)}`])
      await expect(reader.read(bytes(broken), SKILL)).rejects.toMatchObject({ refusal: 'malformed' });
    await expect(reader.read(Buffer.concat([bytes(text), Buffer.from([0xff])]), SKILL)).rejects.toMatchObject({ refusal: 'malformed' });
  });
});

it('ends the thread of a report that takes too long, and reads the next one', async () => {
  const impatient = new ReportReader({ timeoutMs: 1 });
  const patient = new ReportReader();
  try {
    const body = () => bytes(report({ schema: [], items: rows(100_000), total: 100_000, cut: null }));
    await expect(impatient.read(body(), SKILL)).rejects.toMatchObject({ refusal: 'invalid', errors: [{ pointer: '#/output' }] });
    expect(await patient.read(body(), SKILL)).toMatchObject({ outcome: 'answered' });
  } finally {
    await Promise.all([impatient.close(), patient.close()]);
  }
});

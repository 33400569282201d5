import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { testbedSkills } from '../support/testbed.js';

const WEB = 'http://127.0.0.1:8233';
const SECRET = 'Unmistakable-Text-Of-The-Alert';
const DECODE = '/platformapi/temporal-codec/decode';

interface EncodedPayload {
  readonly metadata: Record<string, string>;
  readonly data: string;
}

let service: TestService;
let alertId: string;
let payloads: EncodedPayload[];

beforeAll(async () => {
  const env = { TEMPORAL_PAYLOAD_ENCRYPTION: 'true', TEMPORAL_WEB_URL: WEB };
  service = await startTestService({ skills: testbedSkills(async () => 10), env });
  ({ alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed', alert_content: `user=dana ${SECRET}` }));
  await service.waitForStatus(alertId, 15);
  payloads = listPayloads(await service.temporal.workflow.getHandle(alertId).fetchHistory());
});
afterAll(() => service?.stop());

/** As Temporal Web gets them. */
function listPayloads(value: unknown): EncodedPayload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array && value.metadata !== null) {
    const metadata = Object.entries(value.metadata as Record<string, Uint8Array>);
    const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    return [{ metadata: Object.fromEntries(metadata.map(([name, bytes]) => [name, toText(bytes)])), data: toText(value.data) }];
  }
  return Object.values(value).flatMap(listPayloads);
}

const decode = (given: { key?: string | null; headers?: Record<string, string>; payloads?: unknown } = {}) =>
  service.request<{ payloads: EncodedPayload[] }>('POST', DECODE, {
    ...(given.key === undefined ? {} : { key: given.key }),
    headers: { 'x-namespace': service.settings.TEMPORAL_NAMESPACE, origin: WEB, ...given.headers },
    body: { payloads: given.payloads ?? payloads },
  });

const toUtf8 = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
const readAll = (list: readonly EncodedPayload[]) => list.map(({ data }) => toUtf8(data)).join('\n');

it('writes no clear text into the history, except search attributes', async () => {
  const history = await service.temporal.workflow.getHandle(alertId).fetchHistory();
  const isText = (encoding: string | undefined) =>
    Buffer.from(encoding ?? '', 'base64').toString() !== 'binary/sealed-by-alert-investigator';
  const clear = payloads.filter(({ metadata }) => isText(metadata['encoding']));
  // The SDK writes the name and the times of each local activity itself.
  const isOfSdk = ({ metadata, data }: EncodedPayload) => metadata['type'] !== undefined || /^{"seq":\d+,"attempt"/.test(toUtf8(data));
  expect(clear.filter((payload) => !isOfSdk(payload))).toEqual([]);
  expect(readAll(payloads)).not.toContain(SECRET);
  expect(
    JSON.stringify(history, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)),
  ).not.toContain('user=dana');
});

it('decrypts the history for an engineer in Temporal Web', async () => {
  const { status, headers, body } = await decode();
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe(WEB);
  expect(readAll(body.payloads)).toContain(SECRET);
});

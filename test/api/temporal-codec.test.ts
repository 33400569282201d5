import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PayloadSealer } from '../../platform/payload-sealer.js';
import { startTestService, type TestService } from '../support/service.js';

const WEB = 'http://127.0.0.1:8233';
const DECODE = '/platformapi/temporal-codec/decode';

interface EncodedPayload {
  readonly metadata: Record<string, string>;
  readonly data: string;
}

let service: TestService;
let sealed: EncodedPayload;

beforeAll(async () => {
  service = await startTestService({ worker: false, env: { TEMPORAL_WEB_URL: WEB } });
  const sealer = new PayloadSealer(service.keyring, service.settings.TEMPORAL_NAMESPACE, true);
  const [payload] = await sealer.encode([defaultPayloadConverter.toPayload('a secret')]);
  const toText = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, bytes]) => [name, toText(bytes)]);
  sealed = { metadata: Object.fromEntries(metadata), data: toText(payload?.data) };
});
afterAll(() => service?.stop());

const decode = (given: { key?: string | null; headers?: Record<string, string>; payload?: EncodedPayload } = {}) =>
  service.request<{ payloads: EncodedPayload[] }>('POST', DECODE, {
    ...(given.key === undefined ? {} : { key: given.key }),
    headers: { 'x-namespace': service.settings.TEMPORAL_NAMESPACE, origin: WEB, ...given.headers },
    body: { payloads: [given.payload ?? sealed] },
  });

it('decrypts a payload for an engineer in Temporal Web, and leaves others as they are', async () => {
  const { status, headers, body } = await decode();
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe(WEB);
  expect(Buffer.from(body.payloads[0]?.data ?? '', 'base64').toString()).toBe('"a secret"');
  expect((await decode({ payload: body.payloads[0] ?? sealed })).body).toEqual(body);
});

it('answers the question of a browser whether Temporal Web may call it', async () => {
  const { status, headers } = await service.request('OPTIONS', DECODE, { key: null, headers: { origin: WEB } });
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(WEB);
  expect(headers.get('access-control-allow-headers')).toContain('x-namespace');
});

it('refuses other callers, pages and namespaces, and altered payloads', async () => {
  expect((await decode({ key: null })).status).toBe(401);
  expect((await decode({ key: (await service.createKey('sender', null)).api_key })).status).toBe(403);
  expect((await decode({ key: (await service.createKey('admin', 'DEMO')).api_key })).status).toBe(403);
  expect((await decode({ headers: { 'x-namespace': 'other' } })).status).toBe(403);
  expect((await decode({ headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await decode({ payload: { ...sealed, data: Buffer.alloc(60).toString('base64') } })).status).toBe(422);
});

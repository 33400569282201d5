import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOpener } from '../../../activities/skills/open-connection.js';
import { scrubText } from '../../../activities/skills/perform-skill.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { plain, secret } from '../../../connectors/kit/define.js';
import { hideInReplies, Secrets } from '../../../connectors/kit/hide-secrets.js';
import { toReply } from '../../../connectors/kit/http.js';
import { fetchToken, getToken } from '../../../connectors/kit/oauth.js';
import { connectDatabase } from '../../../db/client.js';
import { Keyring } from '../../../platform/keyring.js';

const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** How a text can contain a secret. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (text) => text,
  uri: (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'form in lower case': (text) =>
    new URLSearchParams({ '': text })
      .toString()
      .slice(1)
      .replace(/%../g, (code) => code.toLowerCase()),
  'form in a URL': (text) => encodeURIComponent(new URLSearchParams({ '': text }).toString().slice(1)),
  'every byte': percent,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json in json': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'json with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'unicode escapes': unicode,
  'unicode escapes in upper case': (text) => unicode(text).replace(/[0-9a-f]{4}/g, (code) => code.toUpperCase()),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'upper case': (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
};

const secrets = fc.string({
  minLength: 6,
  maxLength: 80,
  unit: fc.oneof(fc.constantFrom(...'~8Q~-_.+/=%"\\ &<ü€'), fc.string({ minLength: 1, maxLength: 1 })),
});
const around = fc.string({ maxLength: 30, unit: fc.constantFrom(...'XYZ {}":,\n') });

describe('a secret', () => {
  it.each(Object.keys(ENCODINGS))('is hidden at any place: %s', (name) => {
    fc.assert(
      fc.property(secrets, around, around, (value, before, after) => {
        const encoded = ENCODINGS[name]?.(value) ?? '';
        const clean = new Secrets([value]).hide(`${before}(${encoded})${after}`);
        expect(clean).toContain('[hidden]');
        if (encoded.length > '[hidden]'.length) expect(clean).not.toContain(encoded);
        expect(scrubText(`(${encoded})`, { group: { field: value } })).not.toContain(`(${encoded})`);
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)('is hidden as a part of a longer text in %s', (encoding) => {
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (value, before, after) => {
        const text = Buffer.from(`${before}${value}${after}`).toString(encoding);
        const clean = new Secrets([value]).hide(text);
        expect(clean).toContain('[hidden]');
        expect(Buffer.from(clean.replace('[hidden]', ''), encoding).toString()).not.toContain(value);
      }),
    );
  });

  it('does not hide other text', () => {
    const text = 'AADSTS7000215: Invalid client secret provided. Trace ID: 5b0c2a10';
    expect(new Secrets(['abc~8Q~0123456789', 'short']).hide(text)).toBe(text);
  });
});

describe('a reply', () => {
  const schema = z.object({ client_id: plain('Client ID', ''), client_secret: secret('Client Secret', '') });
  const credentials = { client_id: 'client-0123', client_secret: 'p8Q~abc/def+ghi~0123' };
  const form = { grant_type: 'client_credentials', ...credentials };
  const echo = new URLSearchParams(form).toString();
  const replyWith = (status: number, body: unknown) =>
    hideInReplies(
      { request: async () => toReply({ status, headers: { 'x-echo': echo } }, JSON.stringify(body), 'x.example') },
      schema,
      credentials,
    );

  it('that echoes the form of the token request contains no secret, although it is shortened later', async () => {
    const http = replyWith(400, { error: 'invalid_client', error_description: `${'x'.repeat(280)} ${echo}` });
    const reply = await http.request({ method: 'POST', url: 'https://x.example/token', form, returnsToken: true });
    for (const text of [reply.text, JSON.stringify(reply.json()), JSON.stringify(reply.headers)]) {
      expect(text).toContain('client_secret=[hidden]');
      expect(text).not.toContain('p8Q');
      expect(text).toContain('client-0123');
    }
  });

  it('hides tokens that the connection received, but not in the reply that brings them', async () => {
    const token = 'opaque-token-0123456789';
    const http = replyWith(200, { access_token: token, expires_in: 3600, seen: token });
    const source = { url: 'https://x.example/token', form, refusal: () => expect.fail('refused') };
    for (let time = 0; time < 2; time += 1) expect((await fetchToken(http, source)).value).toBe(token);
    expect((await http.request({ method: 'GET', url: 'https://x.example/api' })).text).not.toContain(token);
    const connection = { id: 'hide-secrets', generation: 1, settings: {}, credentials };
    await getToken({ connection, http }, source);
    // Another call of the connection takes the token from the cache.
    const other = replyWith(200, { seen: token });
    await getToken({ connection, http: other }, source);
    expect((await other.request({ method: 'GET', url: 'https://x.example/api' })).text).not.toContain(token);
  });

  it('of an opened connection is clean, on a worker', async () => {
    const database = connectDatabase('postgres://nobody@127.0.0.1:1/none', { poolSize: 1, name: 'test' });
    const { contextFor } = createOpener({ ...database, keyring: new Keyring(() => [Buffer.alloc(32, 7).toString('base64')]) });
    const connection = {
      connectionUuid: 'c',
      organizationUuid: 'o',
      organizationCode: 'DEMO',
      connectorKind: 'travel-booking',
      instanceName: 'travel',
      settings: { base_url: 'https://x.example' },
      plainCredentials: credentials,
      secrets: [],
      remoteAgentUuid: null,
      state: 'working' as const,
      stateReason: null,
      generation: 1,
      blockedForSeconds: null,
      blockReason: null,
      failuresInARow: 0,
      throttledInARow: 0,
      refused: null,
      alertUuid: null,
      reuseBefore: null,
    };
    const http = { request: async () => toReply({ status: 400, headers: {} }, JSON.stringify({ echo }), 'x.example') };
    const context = contextFor(catalogue.travelBooking, connection, { http, signal: new AbortController().signal, operationKey: 'k' });
    const { text } = await context.http.request({ method: 'GET', url: 'https://x.example/' });
    expect(text).toContain('client_secret=[hidden]');
  });
});

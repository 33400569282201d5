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

const entities = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.codePointAt(0) ?? 0)).join('');
const NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '"': 'quot',
  '=': 'equals',
  '/': 'sol',
  '+': 'plus',
  '%': 'percnt',
};
const named = (text: string) => text.replace(/[&<"=/+%]/g, (character) => `&${NAMES[character]};`);

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
  'hex with separators': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
  'hex dump': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?=.)/g, '$& ')
      .replace(/(.{47}) /g, '$1\n'),
  'byte escapes': (text) =>
    [...text].map((unit) => (unit < '\x80' ? `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}` : unicode(unit))).join(''),
  'named entities': named,
  'entities in entities': (text) => named(named(text)),
  'decimal entities': (text) => entities(text, (code) => `&#${code};`),
  'padded entities': (text) => entities(text, (code) => `&#${code.toString().padStart(6, '0')};`),
  'hexadecimal entities': (text) => entities(text, (code) => `&#x${code.toString(16).toUpperCase()};`),
  'entities in JSON': (text) => entities(text, (code) => `\\u0026#${code};`),
  'upper case': (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
};

const RUNS = { numRuns: 8 };

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
      RUNS,
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
      RUNS,
    );
  });

  it.each(['base64', 'base64url'] as const)('is hidden in %s with line breaks', (encoding) => {
    const breaks = fc.constantFrom('\n', '\r\n', '\\n', '\\r\\n', '\n ', '%0D%0A', '&#10;');
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 5 }), fc.integer({ min: 1, max: 76 }), breaks, (value, before, width, lineBreak) => {
        const digits = Buffer.from(`${before}${value}`).toString(encoding);
        const text = digits.replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${lineBreak.replaceAll('$', '$$$$')}`);
        const clean = new Secrets([value]).hide(text);
        expect(clean).toContain('[hidden]');
        const rest = clean.replace('[hidden]', '').replaceAll(lineBreak, '');
        expect(Buffer.from(rest, encoding).toString()).not.toContain(value);
      }),
      RUNS,
    );
  });

  it.each(Object.keys(ENCODINGS).filter((name) => name !== 'upper case'))('is hidden without its begin or end: %s', (name) => {
    const encode = (text: string) => ENCODINGS[name]?.(text) ?? '';
    const keys = fc.stringMatching(/^[A-Za-z0-9~_.]{7}4[A-Za-z0-9~_.]{0,60}q[A-Za-z0-9~_.]{3}7[A-Za-z0-9~_.]{3}$/);
    fc.assert(
      fc.property(keys, fc.nat({ max: 60 }), (key, more) => {
        const length = Math.min(16 + more, key.length - 1);
        // Before the mark, a begin of an escape can be left, whose end looks like a character of the secret.
        for (const part of [key.slice(0, length), key.slice(-length)])
          expect(new Secrets([key]).hide(`(${encode(part)}…)`)).toMatch(/^\(\S{0,7}\[hidden\]…\)$/);
      }),
      RUNS,
    );
  });

  it('is hidden without its end in base64', () => {
    const key = 'sk-proj4-mQ8vZr2LxN7tYp0wKd5sHb1c';
    for (const before of ['', 'x', 'xy', 'user:'])
      for (const part of [key.slice(0, 12), key.slice(-12)])
        expect(new Secrets([key]).hide(Buffer.from(`${before}${part}`).toString('base64'))).toContain('[hidden]');
  });

  it('is hidden from 8 characters on, if a letter and a digit are in them', () => {
    const hide = (secret: string, text: string) => new Secrets([secret]).hide(text);
    expect(hide('sk-abc4efghijklmnop', 'Incorrect API key sk-abc4e*******.')).toBe('Incorrect API key [hidden]*******.');
    expect(hide('sk-abcdefghijklmnop', 'Incorrect API key sk-abcdef*******.')).toBe('Incorrect API key sk-abcdef*******.');
    expect(hide('correct-horse-battery-staple', 'a correct-horse in a stable')).toBe('a correct-horse in a stable');
    expect(hide('correct-horse-battery-staple', 'correct-horse-batt…')).toBe('[hidden]…');
  });

  it('keeps the parts that the other credentials of the connection have', () => {
    const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const secrets = new Secrets([`${id}.Zk3vQ9pLw2`], { known: [id] });
    expect(secrets.hide(`client ${id}, key ${id}.Zk3v…`)).toBe(`client ${id}, key [hidden]…`);
  });

  it.each([
    ['text', 'the quick brown fox, 10.0.0.1; '],
    ['escapes', '\\u0073\\n&amp;#x73;%2573 '],
    ['backslashes', '\\\\\\\\'],
    ['entities', '&amp;amp;'],
    ['percent signs', '%25'],
    ['begins of the secret', 'sk-abc4e sk-abc4 '],
    ['base64 with many breaks', 'c2\n\n\n\n'],
  ])('is searched for in linear time in %s', (_name, unit) => {
    const secrets = new Secrets(['sk-abc4efghijklmnop', 'p%ss\\w&rd-0123456789', 'k'.repeat(2_000)]);
    const run = (size: number) => {
      const text = unit.repeat(size / unit.length);
      const begun = process.cpuUsage();
      secrets.hide(text);
      const { user } = process.cpuUsage(begun);
      return user / 1_000;
    };
    run(20_000);
    const [small, large] = [run(100_000), run(400_000)];
    expect(large).toBeLessThan(Math.max(small * 12, 500));
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

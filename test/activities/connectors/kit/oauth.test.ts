import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Egress } from '../../../../activities/connectors/kit/egress.js';
import { toRefusal } from '../../../../activities/connectors/kit/errors.js';
import { HttpClient } from '../../../../activities/connectors/kit/http.js';
import type { Http, HttpRequest, OpenConnection } from '../../../../activities/connectors/kit/implement.js';
import { getToken, requestWithToken, type TokenSource } from '../../../../activities/connectors/kit/oauth.js';
import { createAuthority, type StandIn, startStandIn } from '../../../../activities/connectors/kit/stand-in/stand-in.js';
import { refused } from '../../../support/third-parties.js';

interface State {
  tokensGiven: number;
  /** The only token that the API takes; the newest, unless a test says otherwise. */
  accepted: string | null;
  expiresIn: unknown;
  calls: number;
}

let standIn: StandIn<State>;
let httpClient: HttpClient;
let connection: OpenConnection;
let source: TokenSource;
let request: HttpRequest;

beforeAll(async () => {
  standIn = await startStandIn<State>({
    authority: await createAuthority(),
    define: (app) => {
      const state: State = { tokensGiven: 0, accepted: null, expiresIn: 3600, calls: 0 };
      app.post('/token', async () => {
        state.tokensGiven += 1;
        state.accepted = `token-${state.tokensGiven}`;
        return { token_type: 'Bearer', expires_in: state.expiresIn, access_token: state.accepted, scope: 'all' };
      });
      app.post('/other/token', async () => ({ access_token: 'of-another-resource', expires_in: 3600 }));
      app.get('/api', async (call, reply) => {
        state.calls += 1;
        return call.headers.authorization === `Bearer ${state.accepted}` ? { ok: true } : reply.code(401).send({ error: 'expired' });
      });
      return state;
    },
  });
  httpClient = new HttpClient(new Egress({ allow: [standIn.address], ca: standIn.caPem }));
  source = {
    url: `${standIn.url}/token`,
    form: { grant_type: 'client_credentials', client_secret: 's' },
    refusal: (reply) => toRefusal(reply, {}, ''),
  };
  request = { method: 'GET', url: `${standIn.url}/api` };
});

beforeEach(() => {
  connection = { id: randomUUID(), generation: 1, settings: {}, credentials: {} };
  Object.assign(standIn.state, { tokensGiven: 0, accepted: null, expiresIn: 3600, calls: 0 });
  standIn.requests.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  standIn.faults.clear();
});

afterAll(async () => {
  await httpClient.close();
  await standIn.stop();
});

function context(signal = new AbortController().signal) {
  return { connection, http: httpClient.forConnection({ connectionId: connection.id, requestsPerMinute: 1000, signal }) };
}

function call(through = context()) {
  return requestWithToken(through, source, request);
}

const many = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, work));

describe('A token', () => {
  it('is asked for once, however many calls wait for it', async () => {
    const replies = await many(() => call());
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(standIn.state.tokensGiven).toBe(1);
    expect(standIn.requests[0]?.body).toEqual(source.form);
  });

  it('that 20 calls are told is worthless at the same moment is renewed once', async () => {
    await call();
    standIn.state.accepted = 'nobody has this one';
    standIn.state.calls = 0;
    let release = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Nobody goes on before all 20 have their 401: the worst moment.
    let refused = 0;
    const { http } = context();
    const together: Http = {
      request: async (given) => {
        const reply = await http.request(given);
        if (reply.status !== 401) return reply;
        refused += 1;
        if (refused === 20) release();
        await all;
        return reply;
      },
    };
    const replies = await many(() => call({ connection, http: together }));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(refused).toBe(20);
    expect(standIn.state.tokensGiven).toBe(2);
    expect(standIn.state.calls).toBe(40);
  });

  it('that is refused late does not cost its successor', async () => {
    await call();
    standIn.state.accepted = 'nobody has this one';
    const { http } = context();
    const late: Http = {
      request: async (given) => {
        const reply = await http.request(given);
        // Before it reads its 401, another call has had the token renewed.
        if (reply.status === 401) await call();
        return reply;
      },
    };
    expect((await call({ connection, http: late })).status).toBe(200);
    expect(standIn.state.tokensGiven).toBe(2);
  });

  it('that is refused twice is given up: two calls, two tokens, the 401 is the answer', async () => {
    standIn.faults.next({ match: ({ url }) => url === '/api', times: 2, status: 401, body: {} });
    expect((await call()).status).toBe(401);
    expect(standIn.requests.map(({ url }) => url)).toEqual(['/token', '/api', '/token', '/api']);
  });

  it('is renewed shortly before it ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await call();
    vi.setSystemTime(Date.now() + (3600 - 61) * 1000);
    await call();
    expect(standIn.state.tokensGiven).toBe(1);
    vi.setSystemTime(Date.now() + 2000);
    await call();
    expect(standIn.state.tokensGiven).toBe(2);
  });

  it.each([
    ['3599', 3539],
    [100, 50],
    [30, 15],
    [undefined, 240],
    ['soon', 240],
  ])('with expires_in %j serves for %d seconds', async (expiresIn, seconds) => {
    standIn.state.expiresIn = expiresIn;
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    expect((await getToken(context(), source)).expiresAtMs).toBe(1_800_000_000_000 + seconds * 1000);
  });

  it('belongs to one connection, one generation of its credentials and one resource', async () => {
    await call();
    connection = { ...connection, generation: 2 };
    await call();
    connection = { ...connection, id: randomUUID() };
    await call();
    expect(standIn.state.tokensGiven).toBe(3);
    expect((await getToken(context(), { ...source, url: `${standIn.url}/other/token` })).value).toBe('of-another-resource');
    await getToken(context(), { ...source, form: { ...source.form, scope: 'other' } });
    expect(standIn.state.tokensGiven).toBe(4);
  });

  it('comes with all that was said beside it', async () => {
    expect((await getToken(context(), source)).reply).toMatchObject({ scope: 'all', token_type: 'Bearer' });
  });
});

describe('A token request that fails', () => {
  it.each([
    [401, 'CredentialsRejected'],
    [400, 'BadRequest'],
    [429, 'RateLimited'],
    [500, 'Unavailable'],
  ])('with %d is told to all that wait, and not remembered', async (status, code) => {
    standIn.faults.next({ match: ({ url }) => url === '/token', times: 2, status, body: {} });
    const failures = await many(() => refused(call()));
    // Whatever became of it, the call itself was not sent.
    for (const error of failures) expect(error).toMatchObject({ code, status, mayHaveHappened: false });
    expect(standIn.requests.map(({ url }) => url)).toEqual(code === 'Unavailable' ? ['/token', '/token'] : ['/token']);
    standIn.faults.clear();
    expect((await call()).status).toBe(200);
  });

  it('by a reset is named, and the call it was for was not sent', async () => {
    standIn.faults.next({ reset: true });
    expect(await refused(call())).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    expect((await call()).status).toBe(200);
  });

  it('because who asked has gone does not fail the others', async () => {
    standIn.faults.next({ match: ({ url }) => url === '/token', latencyMs: 60_000 });
    const giving = new AbortController();
    const first = refused(call(context(giving.signal)));
    const others = many(() => call());
    await vi.waitFor(() => expect(standIn.requests).toHaveLength(1));
    giving.abort();
    expect((await first).code).toBe('Unavailable');
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(standIn.state.tokensGiven).toBe(1);
  });

  it.each([{}, { access_token: '' }, { access_token: 7 }, []])('to hold a token is an unexpected reply: %j', async (body) => {
    standIn.faults.next({ status: 200, body });
    await expect(call()).rejects.toMatchObject({ code: 'UnexpectedReply' });
  });
});

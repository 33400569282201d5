import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Egress } from '../../../connectors/kit/egress.js';
import { toRefusal } from '../../../connectors/kit/errors.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import type { Http, HttpRequest, OpenConnection } from '../../../connectors/kit/implement.js';
import { getToken, requestWithToken, type TokenSource } from '../../../connectors/kit/oauth.js';
import { createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { refused } from '../../support/third-parties.js';
import { waitFor } from '../../support/wait-for.js';

interface State {
  tokensGiven: number;
  /** The only token that the API accepts. Default: the newest one. */
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
  return {
    connection,
    http: httpClient.forConnection({ connectionId: connection.id, organization: null, requestsPerMinute: 1000, signal }),
  };
}

function call(through = context()) {
  return requestWithToken(through, source, request);
}

const many = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, work));

describe('a token', () => {
  it('is requested once for parallel calls', async () => {
    const replies = await many(() => call());
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(standIn.state.tokensGiven).toBe(1);
    expect(standIn.requests[0]?.body).toEqual(source.form);
  });

  it('is renewed once when the API rejects it for 20 parallel calls', async () => {
    await call();
    standIn.state.accepted = 'nobody has this one';
    standIn.state.calls = 0;
    let release = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    // No call continues before all 20 have their 401, the worst case.
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

  it('that is rejected late does not invalidate its successor', async () => {
    await call();
    standIn.state.accepted = 'nobody has this one';
    const { http } = context();
    const late: Http = {
      request: async (given) => {
        const reply = await http.request(given);
        // Another call renews the token before this call reads its 401.
        if (reply.status === 401) await call();
        return reply;
      },
    };
    expect((await call({ connection, http: late })).status).toBe(200);
    expect(standIn.state.tokensGiven).toBe(2);
  });

  it('that is rejected twice makes the call return the 401 after two calls and two tokens', async () => {
    standIn.faults.next({ match: ({ url }) => url === '/api', times: 2, status: 401, body: {} });
    expect((await call()).status).toBe(401);
    expect(standIn.requests.map(({ url }) => url)).toEqual(['/token', '/api', '/token', '/api']);
  });

  it('is renewed shortly before it expires', async () => {
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
  ])('with expires_in %j is used for %d seconds', async (expiresIn, seconds) => {
    standIn.state.expiresIn = expiresIn;
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    expect((await getToken(context(), source)).expiresAtMs).toBe(1_800_000_000_000 + seconds * 1000);
  });

  it('belongs to one connection, one credential generation and one resource', async () => {
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

  it('includes all other fields of the token response', async () => {
    expect((await getToken(context(), source)).reply).toMatchObject({ scope: 'all', token_type: 'Bearer' });
  });
});

describe('a failed token request', () => {
  it.each([
    [401, 'CredentialsRejected'],
    [400, 'BadRequest'],
    [429, 'RateLimited'],
    [500, 'Unavailable'],
  ])('with status %d fails all waiting calls with %s and is not cached', async (status, code) => {
    standIn.faults.next({ match: ({ url }) => url === '/token', times: 2, status, body: {} });
    const failures = await many(() => refused(call()));
    // The call itself is never sent.
    for (const error of failures) expect(error).toMatchObject({ code, status, mayHaveHappened: false });
    expect(standIn.requests.map(({ url }) => url)).toEqual(code === 'Unavailable' ? ['/token', '/token'] : ['/token']);
    standIn.faults.clear();
    expect((await call()).status).toBe(200);
  });

  it('with a connection reset is named, and the call is not sent', async () => {
    standIn.faults.next({ reset: true });
    expect(await refused(call())).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    expect((await call()).status).toBe(200);
  });

  it('of an aborted caller does not fail the other callers', async () => {
    standIn.faults.next({ match: ({ url }) => url === '/token', latencyMs: 60_000 });
    const giving = new AbortController();
    const first = refused(call(context(giving.signal)));
    const others = many(() => call());
    await waitFor('the question for the token', async () => standIn.requests.length === 1);
    giving.abort();
    expect((await first).code).toBe('Unavailable');
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(standIn.state.tokensGiven).toBe(1);
  });

  it.each([{}, { access_token: '' }, { access_token: 7 }, []])('with an invalid body is an unexpected reply: %j', async (body) => {
    standIn.faults.next({ status: 200, body });
    await expect(call()).rejects.toMatchObject({ code: 'UnexpectedReply' });
  });
});

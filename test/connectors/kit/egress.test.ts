import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Egress, type EgressOptions } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { type Authority, createAuthority } from '../../../connectors/kit/stand-in/stand-in.js';
import { readSettings } from '../../../platform/settings.js';
import { refused } from '../../support/third-parties.js';

const servers: Server[] = [];
const httpClients: HttpClient[] = [];
let authority: Authority;
/** An allowed third party, and a neighbour that no request may reach. */
let port: number;
let trap: { port: number; connections: number };

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : expect.fail('no port');
}

beforeAll(async () => {
  authority = await createAuthority();
  const credentials = await authority.issue(['localhost', '127.0.0.1', 'siem.example']);
  port = await listen(createTlsServer(credentials, (socket) => socket.end('hello')));
  trap = { port: 0, connections: 0 };
  trap.port = await listen(
    createTcpServer((socket) => {
      trap.connections += 1;
      socket.destroy();
    }),
  );
});

afterEach(() => void vi.useRealTimers());

afterAll(async () => {
  await Promise.all(httpClients.map((httpClient) => httpClient.close()));
  for (const server of servers) server.close();
});

function egress(options: Partial<EgressOptions> = {}): Egress {
  return new Egress({ allow: [], ca: authority.caPem, ...options });
}

/** Allows nothing. Without our own authority it is created in a fraction of the time, and there are many of them. */
function closedEgress(...addresses: string[]): Egress {
  return egress({ ca: null, ...answers(...addresses) });
}

function answers(...addresses: string[]): { resolve: (name: string) => Promise<string[]> } {
  return { resolve: async () => addresses };
}

const { signal } = new AbortController();

function get(httpClient: HttpClient, url: string): Promise<unknown> {
  return httpClient
    .forConnection({ connectionId: 'c', organization: null, requestsPerMinute: 1000, signal })
    .request({ method: 'GET', url });
}

/** Spellings of forbidden destinations. PORT is the port of the trap server. */
const HOSTILE_URLS = [
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.1:PORT/',
  'https://0x7f.0.0.0x1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://127.0.0.1%2e:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://127%2E0%2E0%2E1:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://１２７.0.0.1:PORT/',
  'https://127。0。0。1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST:PORT/',
  'https://localhost.:PORT/',
  'https://ⓛocalhost:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[::ffff:0:127.0.0.1]:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2001:0:7f00:1::]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fe80::1%25lo]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[ff02::1]:PORT/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/latest/meta-data/',
  'https://168.63.129.16/metadata/instance',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://198.18.0.1/',
  'https://user@127.0.0.1:PORT/',
  'https://api.example:secret@127.0.0.1:PORT/',
  'https://api.example\\@127.0.0.1:PORT/',
  'https:127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\',
  'https://127.0.0.1:PORT\t/',
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'ws://127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  '//127.0.0.1:PORT/',
  'not a url',
];

describe('hostile addresses', () => {
  it.each(HOSTILE_URLS)('opens no connection for %s', async (url) => {
    // Unknown names resolve to the trap server too.
    const httpClient = new HttpClient(closedEgress('127.0.0.1'));
    httpClients.push(httpClient);
    const error = await refused(get(httpClient, url.replace('PORT', String(trap.port))));
    expect(error).toMatchObject({ code: 'EgressRefused', retryable: false, mayHaveHappened: false });
    expect(error.message).toMatch(/not public|begin with https|user name|no valid host/);
    expect(error.message).not.toContain('secret');
    expect(trap.connections).toBe(0);
  });

  it.each([
    ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '10.1.2.3', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['100.64.1.1', '0.0.0.0', '224.0.0.251', '255.255.255.255', '168.63.129.16', '192.0.0.192', '::', '::127.0.0.1', 'fe80::1'],
    ...[
      'fe80::1%lo',
      'fd00:ec2::254',
      'fec0::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001::1',
      '100::1',
      '4000::1',
      'nonsense',
    ],
  ])('rejects a name that resolves to %s', async (address) => {
    const error = await refused(closedEgress(address).connectTls({ host: 'innocent.example', port: 443, signal }));
    expect(error.code).toBe('EgressRefused');
    expect(error.message).not.toContain(address);
    expect(error.resolution).toContain('innocent.example:443');
    expect(error.resolution).toContain('EGRESS_ALLOW');
  });

  it.each(['127.1', '0x7f.1', 'localhost.', '[::1]', '::1', '::ffff:127.0.0.1', 'fe80::1%lo', 'a b', 'a@127.0.0.1', '127.0.0.1/x', ''])(
    'rejects the host %j without a URL',
    async (host) => {
      expect((await refused(closedEgress('127.0.0.1').connectTls({ host, port: trap.port, signal }))).code).toBe('EgressRefused');
      expect(trap.connections).toBe(0);
    },
  );

  it('rejects a name if one of its addresses is forbidden', async () => {
    const mixed = egress({ allow: ['127.0.0.1/32'], ...answers('127.0.0.1', '10.0.0.1') });
    expect((await refused(mixed.connectTls({ host: 'mixed.example', port: trap.port, signal }))).code).toBe('EgressRefused');
    expect(trap.connections).toBe(0);
  });

  it('resolves a name once and ignores later changes', async () => {
    const resolve = vi.fn(async (): Promise<string[]> => ['169.254.169.254']).mockResolvedValueOnce(['127.0.0.1']);
    const rebound = egress({ allow: [`127.0.0.1:${port}`], resolve });
    const socket = await rebound.connectTls({ host: 'siem.example', port, signal });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(resolve).toHaveBeenCalledTimes(1);
    socket.destroy();
    expect((await refused(rebound.connectTls({ host: 'siem.example', port, signal }))).code).toBe('EgressRefused');
    expect(resolve).toHaveBeenCalledTimes(2);
  });

  it('rejects a public address on a port other than 443', async () => {
    const error = await refused(closedEgress('93.184.216.34').connectTls({ host: 'api.example', port: 8443, signal }));
    expect(error).toMatchObject({ code: 'EgressRefused', message: 'The egress policy refuses api.example: port 8443 is not 443.' });
  });
});

describe('EGRESS_ALLOW', () => {
  it.each([
    ['the name and port', (at: number) => `siem.example:${at}`],
    ['the name in another spelling', (at: number) => `SIEM.Example.:${at}`],
    ['the address and port', (at: number) => `127.0.0.1:${at}`],
    ['the address in another spelling', (at: number) => `127.1:${at}`],
    ['the mapped address', (at: number) => `[::ffff:127.0.0.1]:${at}`],
    ['a network', () => '127.0.0.0/8'],
  ])('allows a destination by %s', async (_, entry) => {
    const socket = await egress({ allow: [entry(port)], ...answers('127.0.0.1') }).connectTls({ host: 'siem.example', port, signal });
    expect(socket.authorized).toBe(true);
    expect(['TLSv1.2', 'TLSv1.3']).toContain(socket.getProtocol());
    socket.destroy();
  });

  it.each([
    ['another port', (at: number) => `siem.example:${at + 1}`],
    ['another name', (at: number) => `example:${at}`],
    ['another address', (at: number) => `127.0.0.2:${at}`],
    ['another network', () => '127.0.0.2/32'],
    ['an IPv6 network', () => '::/0'],
  ])('an entry for %s does not allow the destination', async (_, entry) => {
    const closed = egress({ allow: [entry(trap.port)], ...answers('127.0.0.1') });
    expect((await refused(closed.connectTls({ host: 'siem.example', port: trap.port, signal }))).code).toBe('EgressRefused');
    expect(trap.connections).toBe(0);
  });

  it.each([
    ['its own entry', (at: number) => `ACME:127.0.0.1:${at}`, ['ACME', 'acme']],
    ['its own network', () => 'ACME:127.0.0.0/8', ['ACME']],
    ['an entry of every organization', (at: number) => `*:127.0.0.1:${at}`, ['ACME', 'RIVAL', null]],
    ['an entry without an organization', (at: number) => `127.0.0.1:${at}`, ['ACME', 'RIVAL', null]],
  ] as const)('lets an organization use %s', async (_, entry, organizations) => {
    const all = egress({ allow: [entry(port), 'ACME:192.0.2.1:1'], ...answers('127.0.0.1') });
    for (const organization of organizations) (await all.of(organization).connectTls({ host: 'siem.example', port, signal })).destroy();
  });

  it.each(['RIVAL', 'ACM', 'ACME2', null])('does not let %s use the entries of another organization', async (organization) => {
    const allow = [
      `ACME:127.0.0.1:${trap.port}`,
      `ACME:siem.example:${trap.port}`,
      'ACME:127.0.0.0/8',
      'ACME:[::1]/128',
      'RIVAL:192.0.2.1:1',
    ];
    const closed = egress({ allow, ca: null, ...answers('127.0.0.1') }).of(organization);
    for (const host of ['siem.example', '127.0.0.1', '::1'])
      expect((await refused(closed.connectTls({ host, port: trap.port, signal }))).code).toBe('EgressRefused');
    expect(trap.connections).toBe(0);
  });

  it('does not lend an open socket of one organization to another', async () => {
    const served = await listen(
      createTlsServer(await authority.issue(['127.0.0.1']), (socket) =>
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}')),
      ),
    );
    const httpClient = new HttpClient(egress({ allow: [`ACME:127.0.0.1:${served}`] }));
    httpClients.push(httpClient);
    const ask = (organization: string) =>
      httpClient
        .forConnection({ connectionId: organization, organization, requestsPerMinute: 1000, signal })
        .request({ method: 'GET', url: `https://127.0.0.1:${served}/` });
    expect(await ask('ACME')).toMatchObject({ status: 200 });
    expect((await refused(ask('RIVAL'))).code).toBe('EgressRefused');
  });

  it('is a comma-separated list and names an invalid entry', () => {
    expect(readSettings({ EGRESS_ALLOW: 'ACME:siem.corp:8443,acme-2:[fd00::]/8,*:10.1.0.0/16' }).EGRESS_ALLOW).toHaveLength(3);
    expect(readSettings({}).EGRESS_ALLOW).toEqual([]);
    expect(readSettings({ EGRESS_ALLOW: 'siem.corp:8443, [fd00::5]:443,10.1.0.0/16,fd00::/8,' }).EGRESS_ALLOW).toEqual([
      ...['siem.corp:8443', '[fd00::5]:443', '10.1.0.0/16', 'fd00::/8'],
    ]);
    for (const wrong of ['siem.corp', 'https://siem.corp:443', '10.0.0.0/33', '10/8', 'fd00::5:99999', 'siem:0', ':443', '*', 'a b:1']) {
      expect(() => readSettings({ EGRESS_ALLOW: `good:443,${wrong}` })).toThrow(`EGRESS_ALLOW: ${JSON.stringify(wrong)} is not host:port`);
      expect(() => egress({ allow: [wrong] })).toThrow(JSON.stringify(wrong));
    }
  });
});

describe('a failed connection reports its cause and that nothing was sent', () => {
  async function complaint(options: Partial<EgressOptions>, host: string, at: number): Promise<string> {
    const error = await refused(
      egress({ allow: ['127.0.0.0/8'], ...answers('127.0.0.1'), ...options }).connectTls({ host, port: at, signal }),
    );
    expect(error).toMatchObject({ code: 'Unavailable', retryable: true, mayHaveHappened: false });
    return `${error.message} ${error.resolution ?? ''}`;
  }

  it('reports a certificate from an untrusted authority', async () => {
    expect(await complaint({ ca: null }, 'siem.example', port)).toMatch(/not signed by a trusted authority.*EGRESS_CA_FILE/);
  });

  it('ignores environment variables that disable certificate checks', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      expect(await complaint({ ca: null }, 'siem.example', port)).toContain('not signed by a trusted authority');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('reports a certificate for another name or address', async () => {
    expect(await complaint({}, 'other.example', port)).toContain('its certificate is for another name');
    const credentials = await authority.issue(['siem.example']);
    const named = await listen(createTlsServer(credentials, (socket) => socket.end()));
    expect(await complaint({}, '127.0.0.1', named)).toContain('its certificate is for another name');
  });

  it('reports an old TLS version', async () => {
    const credentials = await authority.issue(['siem.example']);
    const old = createTlsServer({ ...credentials, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await complaint({}, 'siem.example', await listen(old))).toContain('TLS 1.2 or newer');
  });

  it('reports a server without TLS', async () => {
    const clear = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await complaint({}, 'siem.example', clear)).toContain('does not use TLS');
  });

  it('reports a refused connection and an unknown name', async () => {
    const server = createTcpServer();
    const gone = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await complaint({}, 'siem.example', gone)).toContain('nothing listens on that port');
    const resolve = async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await complaint({ resolve }, 'siem.example', 443)).toContain('the name cannot be resolved');
    expect(await complaint(answers(), 'siem.example', 443)).toContain('the name has no address');
  });

  it('tries the next address when the first does not respond', async () => {
    const socket = await egress({ allow: ['127.0.0.0/8', '::1/128'], ...answers('::1', '127.0.0.1') }).connectTls({
      host: 'siem.example',
      port,
      signal,
    });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('limits the time of a handshake and a lookup', async () => {
    const server = createTcpServer();
    const at = await listen(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const handshake = complaint({}, 'siem.example', at);
    const looking = complaint({ resolve: () => new Promise(() => {}) }, 'siem.example', 443);
    const [socket]: Socket[] = await once(server, 'connection');
    const closed = once(socket?.on('error', () => {}).resume() ?? server, 'close');
    vi.advanceTimersByTime(10_000);
    expect(await handshake).toContain('no connection within 10 seconds');
    expect(await looking).toContain('no connection within 10 seconds');
    await closed;
  });

  it('reports an aborted call', async () => {
    const silent = await listen(createTcpServer((socket) => void socket.on('error', () => {})));
    const giving = new AbortController();
    const connecting = refused(egress({ allow: ['127.0.0.0/8'] }).connectTls({ host: '127.0.0.1', port: silent, signal: giving.signal }));
    giving.abort();
    expect(await connecting).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    const late = refused(egress({ allow: ['127.0.0.0/8'] }).connectTls({ host: '127.0.0.1', port, signal: giving.signal }));
    expect((await late).message).toContain('was cancelled');
  });

  it('rejects an invalid certificate authority at once', () => {
    expect(() => egress({ ca: 'not a certificate' })).toThrow('EGRESS_CA_FILE');
  });
});

it('the trap server of these tests counts connections', async () => {
  await refused(egress({ allow: [`127.0.0.1:${trap.port}`] }).connectTls({ host: '127.0.0.1', port: trap.port, signal }));
  expect(trap.connections).toBe(1);
});

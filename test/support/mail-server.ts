import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Authority } from '../../connectors/kit/stand-in/stand-in.js';

/** Starts a mail server for one user. `mode`: TLS from the first byte, STARTTLS, or a server that offers no TLS. */
export async function startMailServer(
  authority: Authority,
  user: { readonly name: string; readonly password: string },
  mode: 'tls' | 'starttls' | 'plain' = 'tls',
) {
  const mails: string[] = [];
  const logins: string[] = [];
  const smtp = new SMTPServer({
    ...(await authority.issue(['localhost'])),
    secure: mode === 'tls',
    ...(mode === 'plain' ? { hideSTARTTLS: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true } : {}),
    onAuth({ username = '', password }, _session, done) {
      logins.push(username);
      if (username === user.name && password === user.password) done(null, { user: username });
      else done(new Error(`Wrong password ${password}`));
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString());
        done();
      });
    },
  });
  smtp.on('error', () => {});
  smtp.listen(0, 'localhost');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    port,
    address: `localhost:${port}`,
    /** As received, in order. */
    mails,
    /** The user names of all attempts. */
    logins,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}

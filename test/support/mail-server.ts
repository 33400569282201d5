import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Authority } from '../../activities/connectors/kit/stand-in/stand-in.js';

/** Starts a mail server with TLS from the first byte, for one user. */
export async function startMailServer(authority: Authority, user: { readonly name: string; readonly password: string }) {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    ...(await authority.issue(['localhost'])),
    secure: true,
    onAuth: ({ username, password }, _session, done) =>
      username === user.name && password === user.password ? done(null, { user: username }) : done(new Error(`Wrong password ${password}`)),
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
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}

import { createTransport } from 'nodemailer';
import type { TlsOptions } from '../../connectors/kit/egress.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { type Deliver, DeliveryFailure, type Message } from '../kit/deliver.js';
import type { email } from './contract.js';

const TIME_LIMIT_MS = 10_000;

/** SMTP over TLS, or with STARTTLS, which is required then. Only the egress opens the socket; the library speaks SMTP on it. */
export const deliverEmail: Deliver<typeof email> = async ({ settings, secrets: { password }, event, message, egress, signal }) => {
  const { host, port, starttls, from, to, username } = settings;
  const opened = starttls
    ? await egress.connectForStartTls({ host, port, signal })
    : { socket: await egress.connectTls({ host, port, signal }), tls: null };
  const transport = createTransport({
    connection: opened.socket,
    ...(opened.tls === null ? { secured: true } : { requireTLS: true, tls: toUpgrade(opened.tls) }),
    host,
    port,
    greetingTimeout: TIME_LIMIT_MS,
    socketTimeout: TIME_LIMIT_MS,
    // The message has no files, so none may come from an address or a path.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === undefined || password === undefined ? {} : { auth: { user: username, pass: password } }),
  });
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: message.title,
      text: [message.title, ...describeFacts(message), message.link, ...message.items.flatMap(({ title, link }) => [title, link])]
        .join('\n\n')
        .concat('\n'),
      // Constant, so that a mail server or client can find a repetition.
      messageId: `<${event.id}@alert-investigator>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return null;
  } catch (error) {
    throw explain(error);
  } finally {
    transport.close();
    opened.socket.destroy();
  }
};

/** The address is that of the open connection. */
function toUpgrade({ servername, secureContext, rejectUnauthorized }: TlsOptions) {
  return { servername, secureContext, rejectUnauthorized };
}

function describeFacts({ decision }: Message): string[] {
  if (decision === null) return [];
  const facts = decision.facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return [facts, ...(decision.isWaiting ? ['To decide, open the link and sign in.'] : [])];
}

/** The text of the server can repeat what we sent. */
function explain(error: unknown): Error {
  if (error instanceof ThirdPartyError) return error;
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  if (code === 535) return new DeliveryFailure('The mail server rejected the user name or the password.');
  return new DeliveryFailure(
    Number.isInteger(code) ? `The mail server answered with ${code}.` : 'The mail server did not accept the message.',
  );
}

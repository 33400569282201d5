import { createTransport } from 'nodemailer';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { CHANNELS } from '../../domain/notification/channel.js';
import { DeliveryFailure, type Send } from './channel.js';

const TIME_LIMIT_MS = 10_000;

/** SMTP over TLS. Only the egress opens the socket; the library speaks SMTP on it. */
export const sendEmail: Send = async ({ channel, event, message, egress, signal }) => {
  const { host, port, from, to, username } = CHANNELS.email.settings.parse(channel.settings);
  const connection = await egress.connectTls({ host, port, signal });
  const password = channel.secrets.get('password');
  const transport = createTransport({
    connection,
    secured: true,
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
      text: [message, ...message.items].map(({ title, link }) => `${title}\n\n${link}\n`).join('\n'),
      // Constant, so that a mail server or client can find a repetition.
      messageId: `<${event.id}@alert-investigator>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw explain(error);
  } finally {
    transport.close();
    connection.destroy();
  }
};

/** The text of the server can repeat what we sent. */
function explain(error: unknown): Error {
  if (error instanceof ThirdPartyError) return error;
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  if (code === 535) return new DeliveryFailure('The mail server rejected the user name or the password.');
  return new DeliveryFailure(
    Number.isInteger(code) ? `The mail server answered with ${code}.` : 'The mail server did not accept the message.',
  );
}

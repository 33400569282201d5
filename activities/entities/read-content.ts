import { type AlertReading, ContentReader, type TextFormat } from '../../domain/alert/alert-content.js';
import { csv } from './csv.js';
import { decodeCommands } from './encoded-commands.js';
import { findMail, readMail } from './mail.js';
import { markup } from './markup.js';
import { yaml } from './yaml.js';

/** The first format that accepts a text reads it. */
const FORMATS: readonly TextFormat[] = [markup, yaml, csv].map(withoutErrors);

/** A parser that fails leaves the text to the other formats, so that no content fails an investigation. */
function withoutErrors(format: TextFormat): TextFormat {
  return (...given) => {
    try {
      return format(...given);
    } catch {
      return false;
    }
  };
}

/** Reads the content of an alert in every format that the service knows. */
export async function readContent(content: string): Promise<AlertReading> {
  const reader = new ContentReader(FORMATS);
  const mailAt = findMail(content);
  reader.readText(mailAt < 0 ? content : content.slice(0, mailAt));
  reader.readsActivity = mailAt < 0;
  if (mailAt >= 0) await readMail(content.slice(mailAt), reader).catch(() => reader.readProse(content.slice(mailAt)));
  const { text } = reader.result(content);
  for (const command of decodeCommands(text)) reader.readDecodedCommand(command);
  return reader.result(content);
}

import PostalMime, { type Address } from 'postal-mime';
import type { ContentReader } from '../../domain/alert/alert-content.js';
import { compact } from '../../domain/alert/json-walk.js';

const HEADER_LINE = /^([A-Za-z][A-Za-z-]{1,60}):[ \t]?.*$/;
/** Headers that only the source of a mail has. A mail that a person forwards as text has other ones. */
const TRANSPORT_HEADER =
  /^(?:received|return-path|delivered-to|mime-version|content-type|content-transfer-encoding|message-id|x-[a-z-]+|dkim-signature|authentication-results)$/i;
const MAX_LINES_SEARCHED = 2000;
const MIN_HEADERS = 2;
const MAX_ATTACHMENTS = 20;
const MAX_ATTACHMENT_LENGTH = 256 * 1024;

/** The start of a mail with its headers, possibly after other text; -1: none. */
export function findMail(text: string): number {
  if (!/^(?:from|received|return-path|delivered-to|mime-version):/im.test(text)) return -1;
  let at = 0;
  let start = -1;
  let headers = 0;
  let isTransport = false;
  for (const [index, line] of text.split('\n', MAX_LINES_SEARCHED).entries()) {
    const name = HEADER_LINE.exec(line.trimEnd())?.[1];
    const isContinuation = index > 0 && start >= 0 && /^[ \t]+\S/.test(line);
    if (name !== undefined) {
      if (start < 0) start = at;
      headers += 1;
      isTransport ||= TRANSPORT_HEADER.test(name);
    } else if (!isContinuation) {
      if (headers >= MIN_HEADERS && isTransport && /^(?:from|received|return-path):/im.test(text.slice(start, at))) return start;
      start = -1;
      headers = 0;
      isTransport = false;
    }
    at += line.length + 1;
  }
  return -1;
}

/** Reads the headers with the roles that they state, and the decoded parts. */
export async function readMail(source: string, reader: ContentReader): Promise<void> {
  const mail = await PostalMime.parse(source, { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, attachmentEncoding: 'arraybuffer' });
  for (const [role, addresses] of [
    ['sender', [mail.from, mail.sender, ...(mail.replyTo ?? [])]],
    ['recipient', [...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]],
  ] as const)
    for (const address of addresses)
      if (address) for (const each of listAddresses(address)) reader.readField({ name: role, owner: '' }, each, 1);
  if (mail.returnPath) reader.readField({ name: 'returnpath', owner: '' }, mail.returnPath, 1);
  if (mail.deliveredTo) reader.readField({ name: 'deliveredto', owner: '' }, mail.deliveredTo, 1);
  for (const { key, value } of mail.headers) if (SEARCHED_HEADER.test(key)) reader.readField({ name: compact(key), owner: '' }, value, 1);
  if (mail.subject) reader.readProse(mail.subject);
  if (mail.text) reader.readText(mail.text, undefined, 1);
  if (mail.html) reader.readText(mail.html, undefined, 1);
  for (const { mimeType, content, filename } of mail.attachments.slice(0, MAX_ATTACHMENTS)) {
    if (filename) reader.readField({ name: 'attachmentname', owner: '' }, filename, 1);
    if (/^(?:text|message)\//.test(mimeType) && typeof content !== 'string' && content.byteLength <= MAX_ATTACHMENT_LENGTH)
      reader.readText(new TextDecoder().decode(content), undefined, 1);
  }
}

const SEARCHED_HEADER = /^(?:received|x-originating-ip|x-sender-ip|list-unsubscribe|x-mailer|authentication-results)$/;

function listAddresses(address: Address): string[] {
  return (address.group ?? [address]).flatMap((each) => (each.address ? [each.address] : []));
}

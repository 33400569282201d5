/** `powershell -enc …`, and `FromBase64String('…')`. */
const ENCODED =
  /(?:[\s"'][-/–]e(?:c|n|nc|nco|ncod|ncode|ncoded|ncodedc\w{0,8})?[\s:]+["']?|FromBase64String\(\s?["'])([A-Za-z0-9+/]{16,}={0,2})/gi;
const MAX_COMMANDS = 20;
const MAX_COMMAND_LENGTH = 128 * 1024;

/** The decoded commands that a text holds. A decoded command can hold another one. */
export function decodeCommands(text: string, levels = 2): string[] {
  const decoded: string[] = [];
  for (const match of text.matchAll(ENCODED)) {
    if (decoded.length === MAX_COMMANDS) break;
    const command = decode((match[1] ?? '').slice(0, MAX_COMMAND_LENGTH));
    if (command !== null) decoded.push(command);
  }
  return levels > 1 ? [...decoded, ...decoded.flatMap((command) => decodeCommands(command, levels - 1))] : decoded;
}

/** PowerShell encodes UTF-16; other tools encode UTF-8. null: the bytes are not text. */
function decode(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  const isWide = bytes.length >= 4 && bytes[1] === 0 && bytes[3] === 0;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8');
  return /[^\P{Cc}\t\r\n]|\ufffd/u.test(text) ? null : text;
}

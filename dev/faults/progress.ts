/** To stderr, because stdout is only for the report. */
export function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

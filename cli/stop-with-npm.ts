import { readFileSync } from 'node:fs';

const POLL_MS = 1_000;

/**
 * npm stops only the shell of a script, or nothing if it is killed. Without this, the process would keep running and hold its ports. A process
 * that npm did not start can outlive its parent on purpose, such as with `nohup`.
 */
export function stopWithNpm(): void {
  if (!process.env['npm_lifecycle_script']?.includes('alert-investigator')) return;
  const started = readAncestors();
  const timer = setInterval(() => {
    if (readAncestors() === started) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

/** The parent's pid, and npm's if the parent is a shell between both. macOS shows only the first without a command. */
function readAncestors(): string {
  const parent = process.ppid;
  try {
    const [, name = '', fields = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return /^(?:ba|da|z|k)?sh$/.test(name) ? `${parent} ${fields.split(' ')[1]}` : String(parent);
  } catch {
    return String(parent);
  }
}

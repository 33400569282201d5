import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeError, IS_ROOT } from '../../local/postgres/user.js';
import { run } from '../../local/processes.js';
import { withProgress } from '../../local/progress.js';
import { announceSystemChange } from '../../local/system-changes.js';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';

const INSTALL_LIMIT_MS = 600_000;
/** Processes of one test run install at the same time, and apt-get refuses to run twice. */
const LOCK_FILE = path.join(tmpdir(), 'alert-investigator-apt-get.lock');

/** Installs a Debian package, or throws a StartError with the cause and the manual installation. */
export async function installDebianPackage(log: Logger, wanted: { name: string; what: string; otherwise: string }): Promise<void> {
  const cannot = `${wanted.what} is not installed on this machine. Install the Debian package ${wanted.name}, or ${wanted.otherwise}`;
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) throw new StartError(`${cannot}. (This machine has no apt-get.)`);
  if (!IS_ROOT) throw new StartError(`${cannot}. (Only root can install it.)`);
  announceSystemChange({
    change: `install the Debian package ${wanted.name} and its dependencies with apt-get, without starting their services (it writes /usr/sbin/policy-rc.d for the time of the installation)`,
    instead: `${cannot}.`,
  });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => run('flock', [LOCK_FILE, 'apt-get', '-y', '-q', ...args], { env, timeoutMs: INSTALL_LIMIT_MS });
  const install = () => aptGet('install', '--no-install-recommends', wanted.name);
  try {
    await withProgress(log, `Installing ${wanted.what} (Debian package ${wanted.name})`, () =>
      withoutServices(() => install().catch(() => aptGet('update').then(install))),
    );
  } catch (cause) {
    throw new StartError(`${cannot}. (The installation failed: ${describeError(cause)})`, { cause });
  }
}

/** Debian runs this file before it starts the services of a new package. */
async function withoutServices(work: () => Promise<unknown>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    chmodSync(policy, 0o755);
  }
  try {
    await work();
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}

import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { describeError, IS_ROOT } from '../../local/postgres/user.js';
import { run } from '../../local/processes.js';
import { withProgress } from '../../local/progress.js';
import type { Logger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';

const INSTALL_LIMIT_MS = 600_000;

/** Installs Debian's package where that may be done; a StartError says why not, and what to do instead. */
export async function installDebianPackage(log: Logger, wanted: { name: string; what: string; otherwise: string }): Promise<void> {
  const cannot = `There is no ${wanted.what} on this machine: install Debian’s package ${wanted.name}, or ${wanted.otherwise}`;
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) throw new StartError(`${cannot}. (It has no apt-get.)`);
  if (!IS_ROOT) throw new StartError(`${cannot}. (It can be installed by root alone.)`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => run('apt-get', ['-y', '-q', ...args], { env, timeoutMs: INSTALL_LIMIT_MS });
  const install = () => aptGet('install', '--no-install-recommends', wanted.name);
  try {
    await withProgress(log, `Installing ${wanted.what} (Debian’s package)`, () =>
      withoutServices(() => install().catch(() => aptGet('update').then(install))),
    );
  } catch (cause) {
    throw new StartError(`${cannot}. (Installing it failed: ${describeError(cause)})`, { cause });
  }
}

/** A package would start services of its own; Debian asks this file first. */
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

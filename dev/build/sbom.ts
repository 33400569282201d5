import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { StartError } from '../../platform/start-error.js';
import { ROOT } from './digest.js';

/**
 * All libraries with their versions and licences, in the CycloneDX format. Tools are marked as development: the bundle of the pages
 * contains some of them, and `npm sbom --omit=dev` leaves out libraries that a tool uses too.
 */
export function writeSbom(file: string): void {
  const npm = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (npm.status !== 0) throw new StartError(`npm could not list the libraries of the product: ${npm.stderr.trim()}`);
  writeFileSync(file, npm.stdout);
}

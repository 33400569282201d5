import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { childEnvironment, lastLines, runScript } from '../../local/processes.js';
import { digestFiles, listFiles, ROOT } from './digest.js';
import { PLAYBOOKS, playbookFiles, writePlaybookList } from './playbook-list.js';

const LIMIT_MS = 120_000;
const INPUTS = ['workflows', 'domain', 'connectors', 'dev/build', 'package-lock.json'].map((name) => path.join(ROOT, name));
/** The result for the files of the last check. */
const CHECKED = path.join(ROOT, 'node_modules/.cache/alert-investigator/checked-playbooks.json');

const Faults = z.array(z.object({ name: z.string(), reason: z.string() }));
type Faults = z.infer<typeof Faults>;
const Checked = z.object({ digest: z.string(), faults: Faults });

/**
 * Writes the list of playbooks without those that cannot run, so that one faulty file does not keep the service from starting. Reports a
 * sentence for each that it leaves out. The build, the tests and lint refuse such a file.
 */
export async function listRunnablePlaybooks(report: (sentence: string) => void): Promise<void> {
  const faults = await findKnownFaults();
  const faulty = new Set(faults.map(({ name }) => name));
  for (const { reason } of faults) report(`Left out a playbook: ${reason}`);
  writePlaybookList(PLAYBOOKS, (name) => !faulty.has(name));
}

/** Checks only after a change. The list itself is no input. */
async function findKnownFaults(): Promise<Faults> {
  const list = path.join(PLAYBOOKS, 'index.ts');
  const digest = digestFiles(INPUTS.flatMap(listFiles).filter((file) => file !== list));
  const known = existsSync(CHECKED) ? Checked.safeParse(readJson(CHECKED)).data : undefined;
  if (known?.digest === digest) return known.faults;
  const faults = await findFaults(PLAYBOOKS);
  mkdirSync(path.dirname(CHECKED), { recursive: true });
  // Write and rename, so that another process never reads a partial file.
  writeFileSync(`${CHECKED}.${process.pid}`, JSON.stringify({ digest, faults }));
  renameSync(`${CHECKED}.${process.pid}`, CHECKED);
  return faults;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The playbooks of a folder that cannot run, each with the reason. */
export async function findFaults(folder: string): Promise<Faults> {
  // The list may name a file that no longer exists, and playbooks do not need it.
  const output = await runScript(
    new URL('./check-playbooks-process.ts', import.meta.url),
    { folder, names: playbookFiles(folder) },
    { env: childEnvironment(), timeoutMs: LIMIT_MS },
  );
  return Faults.parse(JSON.parse(lastLines(output, 1)));
}

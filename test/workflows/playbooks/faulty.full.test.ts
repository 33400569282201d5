import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { catalogue } from '../../../connectors/catalogue.js';
import type { PlaybookWorkflow } from '../../../workflows/playbook.js';
import { loadKitBundle } from '../../support/kit/kit-bundle.js';
import { answersWith, investigateWith, whole } from '../../support/playbook-kit.js';
import * as faulty from './support/faulty-playbooks.js';

const from = new URL('./support/faulty-playbooks.ts', import.meta.url);
const FILE = 'test/workflows/playbooks/support/faulty-playbooks.ts';
const SOURCE = readFileSync(fileURLToPath(from), 'utf8').split('\n');
const placeOf = (code: string) => `${FILE}:${SOURCE.findIndex((line) => line.includes(code)) + 1}`;

const run = (playbook: PlaybookWorkflow<typeof catalogue>) =>
  investigateWith(playbook, {
    from,
    alert: { type: 'Faulty', content: 'host=ws-014' },
    // The code of the test may use what the playbook may not.
    skills: answersWith({ endpointDetection: { listMachines: async () => (process.pid > 0 ? whole() : null) } }),
  });

describe('the test kit refuses, with the place', () => {
  it('a question without await, also if it has ended', async () => {
    const place = placeOf('void skills.endpointDetection');
    await expect(run(faulty.hasty)).rejects.toThrow(
      `skills.endpointDetection.listMachines was called without await at ${place}. Add await.`,
    );
  });

  it('a proposal without await', async () => {
    const place = placeOf('void propose.endpointDetection');
    await expect(run(faulty.hastyProposal)).rejects.toThrow(
      `propose.endpointDetection.isolateMachine was called without await at ${place}. Add await.`,
    );
  });

  it('a loop that does not end', async () => {
    await expect(run(faulty.endless)).rejects.toThrow(`Infinite loop: it ran more than 1000000 times. Place: ${placeOf('while (')}.`);
  });

  it('a promise that nothing resolves', async () => {
    await expect(run(faulty.stuck)).rejects.toThrow(
      `The playbook waits for a promise that nothing resolves. Place: ${placeOf('await new Promise')}.`,
    );
  });

  it('points that are no number', async () => {
    await expect(run(faulty.notANumber)).rejects.toThrow(
      `evidence.finding: points must be a finite number, not NaN. Place: ${placeOf('evidence.finding(Number')}.`,
    );
  });

  it('a proposal whose end is no number', async () => {
    await expect(run(faulty.forgetful)).rejects.toThrow(
      `propose.endpointDetection.isolateMachine: releaseAfterHours must be a whole number from 1 to 720, not NaN. Place: ${placeOf('await propose.')}.`,
    );
  });

  it('a loop of calls', async () => {
    await expect(run(faulty.polling)).rejects.toThrow(
      `The playbook called skills more than 1000 times in one investigation. Place: ${placeOf('for (;;) await skills')}.`,
    );
  });

  it('waits that fill the history of the run', async () => {
    await expect(run(faulty.repeating)).rejects.toThrow(
      /^The run is too long: Temporal stored 30\d{3} steps of it .* Make fewer calls and waits\. Place: .*faulty-playbooks\.ts:\d+\.$/,
    );
  });

  it('a thrown text of any length, with the file', async () => {
    await expect(run(faulty.throwing)).rejects.toThrow(/^x{3999}…\. Place: workflows\/playbooks\/throwing\.ts\.$/);
  });

  it('an error of the code', async () => {
    await expect(run(faulty.slipping)).rejects.toThrow(new RegExp(`^TypeError: .* Place: ${placeOf('Reflect.get(')}\\.$`));
  });
});

it('ends a computation that does not return, and runs the next playbook', async () => {
  await expect(run(faulty.backtracking)).rejects.toThrow(
    'The playbook backtracking (workflows/playbooks/backtracking.ts) computed for several seconds without a wait.',
  );
  await run(faulty.careful);
});

describe('the test kit refuses, with the file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-kit-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['fetch', "export const faulty = () => fetch('https://example.com');", / uses fetch\. .* Ask a skill/],
    ['crypto', 'export const faulty = () => crypto.randomUUID();', / uses crypto\. /],
    ['process', 'export const faulty = () => ({ process });', / uses process\. /],
    ['Node modules', "import { readFileSync } from 'node:fs';\nexport const faulty = readFileSync;", / imports node:fs\. .* Ask a skill/],
    ['a syntax error', 'export const faulty = (', / cannot be bundled: .* Correct the file/],
  ])('%s', async (name, code, sentence) => {
    const file = path.join(folder, `${name.replace(' ', '-')}.ts`);
    writeFileSync(file, `${code}\n`);
    const failure = String(await loadKitBundle(file).catch((error: unknown) => error));
    expect(failure).toMatch(sentence);
    expect(failure).toContain(path.basename(file));
    expect(failure).not.toContain('\n');
  });

  it('but not a name that the file declares', async () => {
    const file = path.join(folder, 'own-name.ts');
    writeFileSync(file, 'export const faulty = (process: string) => process.length;\n');
    expect((await loadKitBundle(file)).code).toContain('process.length');
  });

  it('an old bundle after a change of the file', async () => {
    const file = path.join(folder, 'changed.ts');
    writeFileSync(file, 'export const faulty = 1;\n');
    // A file of the same millisecond as the bundle may have changed after it.
    utimesSync(file, 1, 1);
    const first = await loadKitBundle(file);
    expect(await loadKitBundle(file)).toBe(first);
    writeFileSync(file, 'export const faulty = 2;\n');
    expect((await loadKitBundle(file)).code).toContain('faulty = 2');
  });
});

it('accepts awaited calls, skips time, and runs the new steps of a versioned change', async () => {
  const { evidence } = await run(faulty.careful);
  expect(evidence.map(({ title, reason }) => `${title}: ${reason}`)).toEqual([`Waited: ${2 * 86_400_000} ms`, 'Path: new']);
});

it('asks for the module of a playbook that it does not find', async () => {
  const lost = investigateWith(faulty.careful, { alert: { type: 'Faulty', content: '' } });
  await expect(lost).rejects.toThrow('The playbook is in no file of workflows/playbooks. Pass the module that exports it');
});

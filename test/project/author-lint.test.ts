import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Lines of a playbook, and the part of the message that lint must report for each. null: it must report nothing. */
const LINES: readonly (readonly [line: string, message: string | null])[] = [
  ['skills.endpointDetection.listMachines({ id: 1 });', 'Use `await`'],
  ['context.skills.endpointDetection.listMachines({ id: 1 });', 'Use `await`'],
  ['void propose.endpointDetection.isolateMachine({}, {});', 'Use `await`'],
  ['await skills.endpointDetection.listMachines({ id: 1 });', null],
  ['const later = skills.endpointDetection.listMachines({ id: 1 });', null],
  ["evidence.note('skills.a.b()', 'x');", null],
  ["fetch('https://example.com');", 'fetch'],
  ['crypto.randomUUID();', 'crypto'],
  ['process.exit();', 'process'],
];

let folder: string;
let found: Map<number, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'author-lint-'));
  await cp(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  await cp(join(ROOT, 'dev/lint'), join(folder, 'dev/lint'), { recursive: true });
  await mkdir(join(folder, 'workflows/playbooks'), { recursive: true });
  await writeFile(join(folder, 'workflows/playbooks/x.ts'), LINES.map(([line]) => line).join('\n'));
  const args = ['lint', '--reporter=github', '--only=style/noRestrictedGlobals', '--only=plugin', '.'];
  const output = await promisify(execFile)(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  found = new Map(
    [...output.matchAll(/workflows\/playbooks\/x\.ts,line=(\d+),.*?::(.*)$/gm)].map(([, line, said]) => [Number(line), said ?? '']),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(LINES.map(([line, message], index) => ({ line, message, number: index + 1 })))('checks $line', ({ message, number }) => {
  if (message === null) expect(found.get(number)).toBeUndefined();
  else expect(found.get(number)).toContain(message);
});

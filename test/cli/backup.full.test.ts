import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { temporaryFolder } from '../local/support/scripts.js';
import { startProposalKit } from '../workflows/proposals/support.js';
import { runCommand } from './support/run-command.js';

it('the commands restore an external database into an embedded one, which can be backed up in turn', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder();
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  const kit = await startProposalKit();
  const external = { cwd: folder, settings: { DATABASE_URL: kit.service.settings.DATABASE_URL } };
  try {
    await kit.investigated(COMPUTERS[0].machineId);
    expect(await runCommand(['backup', first], external)).toMatchObject({ code: 0, said: expect.stringContaining('Backed up') });
  } finally {
    await kit.stop();
  }
  const embedded = { cwd: folder, settings: { DATA_DIR: folder } };
  expect(await runCommand(['restore', first], embedded)).toMatchObject({ code: 0, said: expect.stringContaining('Restored') });
  expect(await runCommand(['backup', second], embedded)).toMatchObject({ code: 0 });
  const rows = (backup: string) =>
    Object.fromEntries(
      JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8')).tables.map(
        ({ name, rows: count }: { name: string; rows: number }) => [name, count],
      ),
    );
  const [before, after] = [rows(first), rows(second)];
  expect(before).toMatchObject({ alerts: 1, cases: 1, connections: 1, proposals: 1 });
  for (const name of ['alerts', 'cases', 'evidence', 'connections', 'connection_secrets', 'proposals'])
    expect(after[name], name).toBe(before[name]);
  expect(existsSync(path.join(folder, 'running'))).toBe(false);
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportName, playbookFiles, writePlaybookList } from '../../../dev/build/playbook-list.js';
import { newPlaybook } from '../../../dev/playbooks/new-playbook.js';
import { alertTypeKey } from '../../../domain/alert/alert.js';
import { declaredPlaybooks } from '../../../worker/worker.js';

describe('the list of playbooks', () => {
  it('contains every file of the folder under its own name', () => {
    expect(
      declaredPlaybooks()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(playbookFiles().map(exportName).sort());
  });

  it('assigns each alert type to one playbook', () => {
    const keys = declaredPlaybooks().flatMap(({ alertTypes }) => alertTypes.map(alertTypeKey));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('npm run playbook:new', () => {
  let folder: string;
  const folders = () => ({ playbooks: path.join(folder, 'playbooks'), tests: path.join(folder, 'tests') });
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'alert-investigator-new-playbook-'));
    mkdirSync(folders().playbooks);
    mkdirSync(folders().tests);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the playbook, its test and its entry in the list', () => {
    newPlaybook('data-loss-2', folders());
    expect(read('playbooks/data-loss-2.ts')).toContain(
      "export const dataLoss2 = playbook({ title: 'Data loss 2', alertTypes: ['Data loss 2'] }",
    );
    expect(read('tests/data-loss-2.test.ts')).toContain('investigateWith(dataLoss2, ');
    expect(read('playbooks/index.ts')).toContain("export { dataLoss2 } from './data-loss-2.js';");
  });

  it('does not overwrite files', () => {
    writeFileSync(path.join(folder, 'playbooks/insider.ts'), 'mine');
    expect(() => newPlaybook('insider', folders())).toThrow('exists already');
    expect(read('playbooks/insider.ts')).toBe('mine');
    expect(() => read('tests/insider.test.ts')).toThrow('ENOENT');
  });

  it.each(['', 'Data-Loss', 'data_loss', '../escape', '-x', 'x-', 'a--b', 'index', 'data loss'])('rejects the name "%s"', (name) => {
    expect(() => newPlaybook(name, folders())).toThrow('is not a valid name');
  });

  it('lists a file that was added by hand, and removes a deleted one', () => {
    writePlaybookList(folders().playbooks);
    expect(read('playbooks/index.ts')).toContain("export { insider } from './insider.js';");
    rmSync(path.join(folder, 'playbooks/insider.ts'));
    writePlaybookList(folders().playbooks);
    expect(read('playbooks/index.ts')).not.toContain('insider');
  });
});

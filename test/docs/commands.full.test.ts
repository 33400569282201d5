import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DocumentedCommand, listCommands, mask, parseJson, refresh, select } from '../../dev/docs/commands.js';
import { startTestService } from '../support/service.js';

const run = promisify(execFile);
const isUpdate = process.env['UPDATE_DOCS'] === '1';

/** Each document starts with a new service, as its reader does. */
describe.each(['README.md', 'docs/quick-start.md'])('%s', (file) => {
  it('shows the output that its commands have', async () => {
    const path = new URL(`../../${file}`, import.meta.url);
    const document = await readFile(path, 'utf8');
    const commands = listCommands(document);
    expect(commands.length).toBeGreaterThan(0);
    const service = await startTestService();
    onTestFinished(() => service.stop());

    const execute = async ({ command }: DocumentedCommand) => {
      const onTestPort = command.replaceAll('http://127.0.0.1:3000', service.url);
      const { stdout } = await run('sh', ['-c', onTestPort], { env: { ...process.env, KEY: service.adminKey } });
      return parseJson(stdout);
    };
    let updated = document;
    for (const documented of commands) {
      const expected = parseJson(documented.output);
      let actual = await execute(documented);
      const compare = () => expect(mask(select(actual, expected)), documented.command).toEqual(mask(expected));
      const isInvestigated = async () => {
        actual = await execute(documented);
        if (isUpdate) expect(JSON.stringify(select(actual, { investigation_status: 15 }))).not.toMatch(/:(?:0|5|10)\b/);
        else compare();
      };
      if (documented.isRead) await vi.waitFor(isInvestigated, { timeout: 60_000, interval: 200 });
      if (isUpdate) updated = updated.replace(documented.output, () => refresh(documented.output, actual));
      else compare();
    }
    if (updated !== document) await writeFile(path, updated);
  });
});

describe('the commands of a document', () => {
  it('are the curl commands that a JSON block follows', () => {
    const document = [
      '```sh\nnpm start\n```\n\n```json\n{}\n```',
      '```sh\ncurl -s http://a\n```\n\n```json\n{ "a": 1 }\n```',
      '```sh\ncurl -s \\\n  -d 1 http://b\n```\n\ntext\n\n```json\n{}\n```',
      '```sh\ncurl -s \\\n  -X PATCH http://c\n```\n\n```json\n{}\n```',
    ].join('\n\n');
    expect(listCommands(document)).toEqual([
      { command: 'curl -s http://a', output: '{ "a": 1 }', isRead: true },
      { command: 'curl -s \\\n  -X PATCH http://c', output: '{}', isRead: false },
    ]);
  });

  it('are compared without ids, times and keys, by the fields that the document shows', () => {
    const actual = { id: '01a1dd70-db1e-77bb-ad5b-122fbd0b22a5', at: 1794716523, status: 15, more: true };
    expect(mask(select(actual, { id: '', at: 0, status: 0 }))).toEqual({ id: '<uuid>', at: '<time>', status: 15 });
  });

  it('are refreshed without a change of ids and times', () => {
    expect(refresh('{ "at": 1794716523, "status": 0 }', { at: 1800000000, status: 15, more: true })).toBe(
      '{ "at": 1794716523, "status": 15 }',
    );
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVELOPER_COMMANDS } from '../../cli/sources.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function run(root: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'bin/alert-investigator'), ...args], {
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

describe('bin/alert-investigator', () => {
  it('lists every command', () => {
    const { code, stdout } = run(ROOT, '--help');
    expect(code).toBe(0);
    for (const command of ['api', 'worker', 'agent', 'migrate', 'keys', 'backup', 'restore', 'erase', ...DEVELOPER_COMMANDS])
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  it('refuses an unknown command with exit code 2 and points to --help', () => {
    const { code, stderr } = run(ROOT, 'frobnicate');
    expect(stderr).toContain("unknown command 'frobnicate'");
    expect(stderr).toContain('--help');
    expect(code).toBe(2);
  });

  it('reports an error that the user can fix without a stack', () => {
    const { code, stderr } = run(ROOT, 'playbook', 'new', 'A b!');
    expect(stderr).toContain('"A b!" is not a valid name.');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });
});

it('has the operator commands in an installation without sources, and explains why it lacks the developer commands', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'alert-investigator-cli-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['bin', 'cli', 'package.json']) cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  const help = run(root, '--help');
  expect(help.stdout).toMatch(/^ {2}migrate /m);
  expect(help.stdout).not.toMatch(/^ {2}start /m);
  const { code, stderr } = run(root, 'playbook', 'compare', 'x', '--last', '5');
  expect(stderr).toContain("'playbook' needs the sources of alert-investigator");
  expect(code).toBe(2);
});

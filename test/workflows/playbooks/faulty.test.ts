import { describe, expect, it } from 'vitest';
import type { catalogue } from '../../../activities/connectors/catalogue.js';
import { patched } from '../../../workflows/lib/patched.js';
import { type PlaybookWorkflow, playbook } from '../../../workflows/playbook.js';
import { answersWith, investigateWith, whole } from '../../support/playbook-kit.js';

const alert = { type: 'Faulty', content: 'host=ws-014' };
const INPUT = { computer_dns_name: 'ws-014' };
const run = (author: PlaybookWorkflow<typeof catalogue>['author']) =>
  investigateWith(playbook({ alertTypes: ['Faulty'] }, author), {
    alert,
    skills: answersWith({ endpointDetection: { listMachines: async () => (process.pid > 0 ? whole() : null) } }),
  });

describe('the test kit refuses', () => {
  it('a question without await, with its place', async () => {
    const hasty = run(async ({ skills, correlate }) => {
      void skills.endpointDetection.listMachines(INPUT);
      // The question has ended when the playbook ends.
      for (let wait = 0; wait < 5; wait += 1) await correlate({ by: ['host'], withinDays: 1 });
    });
    await expect(hasty).rejects.toThrow(
      /^skills\.endpointDetection\.listMachines was called without await at test\/workflows\/playbooks\/faulty\.test\.ts:\d+\. Add await\.$/,
    );
  });

  it('a proposal without await', async () => {
    const hasty = run(async ({ propose }) => {
      void propose.endpointDetection.isolateMachine({ machine_id: 'a'.repeat(40), comment: 'x' }, { reason: 'It must be cut off.' });
    });
    await expect(hasty).rejects.toThrow('propose.endpointDetection.isolateMachine was called without await');
  });

  it.each([
    ['fetch', () => fetch('https://example.com')],
    ['crypto', () => crypto.randomUUID()],
    ['process', () => process.env],
  ])('%s', async (name, use) => {
    const faulty = run(async ({ evidence }) => evidence.note('Used', String(await use())));
    await expect(faulty).rejects.toThrow(new RegExp(`^test/workflows/playbooks/faulty\\.test\\.ts:\\d+ uses ${name}\\. `));
  });
});

it('accepts awaited calls, also of several at once', async () => {
  const careful = await run(async ({ skills }) => {
    const later = skills.endpointDetection.listMachines(INPUT);
    await Promise.all([skills.endpointDetection.listMachines(INPUT), skills.endpointDetection.listMachines(INPUT)]);
    await later;
  });
  expect(careful.evidence.filter(({ kind }) => kind === 'gap')).toEqual([]);
});

it('runs the new steps of a versioned change', async () => {
  const { evidence } = await run(async (context) => context.evidence.note('Path', patched('change') ? 'new' : 'old'));
  expect(evidence).toMatchObject([{ reason: 'new' }]);
});

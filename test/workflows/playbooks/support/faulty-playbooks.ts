import { sleep, upsertMemo } from '@temporalio/workflow';
import { patched } from '../../../../workflows/lib/patched.js';
import { playbook } from '../../../../workflows/playbook.js';

const INPUT = { computer_dns_name: 'ws-014' };

export const hasty = playbook({ title: 'Hasty', alertTypes: ['Hasty'] }, async ({ skills, correlate }) => {
  void skills.endpointDetection.listMachines(INPUT); // The question has ended when the playbook ends.
  for (let wait = 0; wait < 5; wait += 1) await correlate({ by: ['host'], withinDays: 1 });
});

export const hastyProposal = playbook({ title: 'Hasty proposal', alertTypes: ['Hasty proposal'] }, async ({ propose }) => {
  void propose.endpointDetection.isolateMachine({ machine_id: 'a'.repeat(40), comment: 'x' }, { reason: 'It must be cut off.' });
});

export const endless = playbook({ title: 'Endless', alertTypes: ['Endless'] }, async ({ evidence }) => {
  evidence.note('Begun', 'The loop follows.');
  while (evidence.entries.length > 0);
});

export const stuck = playbook({ title: 'Stuck', alertTypes: ['Stuck'] }, async () => {
  await new Promise(() => {}); // Never.
});

export const slipping = playbook({ title: 'Slipping', alertTypes: ['Slipping'] }, async ({ entities }) => {
  Reflect.get(entities, 99).value.trim();
});

export const backtracking = playbook({ title: 'Backtracking', alertTypes: ['Backtracking'] }, async () => {
  /^(?:a+)+$/.test(`${'a'.repeat(60)}!`);
});

export const careful = playbook({ title: 'Careful', alertTypes: ['Careful'] }, async ({ skills, evidence }) => {
  const later = skills.endpointDetection.listMachines(INPUT);
  await Promise.all([skills.endpointDetection.listMachines(INPUT), skills.endpointDetection.listMachines(INPUT)]);
  await later;
  const startedMs = Date.now();
  await sleep('2 days');
  evidence.note('Waited', `${Date.now() - startedMs} ms`);
  evidence.note('Path', patched('change') ? 'new' : 'old');
});

export const notANumber = playbook({ title: 'Not a number', alertTypes: ['Not a number'] }, async ({ alert, evidence }) => {
  evidence.finding(Number(alert.content), 'Points', 'The content is no number.');
});

export const forgetful = playbook({ title: 'Forgetful', alertTypes: ['Forgetful'] }, async ({ propose }) => {
  const hours = Number.NaN;
  await propose.endpointDetection.isolateMachine(
    { machine_id: 'a'.repeat(40), comment: 'x' },
    { reason: 'It must be cut off.', releaseAfterHours: hours },
  );
});

export const polling = playbook({ title: 'Polling', alertTypes: ['Polling'] }, async ({ skills }) => {
  for (;;) await skills.endpointDetection.listMachines(INPUT);
});

export const repeating = playbook({ title: 'Repeating', alertTypes: ['Repeating'] }, async () => {
  const repeat = (): void => {
    for (let step = 0; step < 100; step += 1) upsertMemo({ step });
    void sleep('1 minute').then(repeat);
  };
  repeat();
  await new Promise(() => {});
});

export const throwing = playbook({ title: 'Throwing', alertTypes: ['Throwing'] }, async () => {
  throw 'x'.repeat(3_000_000);
});

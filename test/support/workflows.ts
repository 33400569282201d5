import { ApplicationFailure } from '@temporalio/workflow';
import { patched } from '../../workflows/lib/patched.js';
import { playbook } from '../../workflows/playbook.js';
import { testbedCatalogue } from './testbed.js';

export * from '../../workflows/index.js';

/** Asks three questions at once. The answers of the test decide the verdict. */
export const testbed = playbook(
  { title: 'Testbed', alertTypes: ['Testbed'], connectors: testbedCatalogue },
  async ({ alert, skills, evidence }) => {
    evidence.note('Asked', 'Three questions are under way.');
    const answers = await Promise.all(['one', 'two', 'three'].map((name) => skills.testbed.ask({ question: `${name} ${alert.content}` })));
    for (const [index, answer] of answers.entries()) {
      if (answer !== null) evidence.finding(answer.points, `Answer ${index + 1}`, 'The test said so.', { from: answer });
    }
  },
);

/** Asks one question after the other and ignores the third answer. Plans a follow-up when the content says `watch`. */
export const testbedInTurn = playbook(
  { title: 'Testbed in turn', alertTypes: ['Testbed in turn'], connectors: testbedCatalogue },
  async ({ alert, skills, evidence, followUp }) => {
    const ask = (name: string) => skills.testbed.ask({ question: `${name} ${alert.content}` });
    const first = await ask('first');
    if (first) evidence.finding(first.points, 'First answer', 'The test said so.', { from: first, techniques: ['T1078'] });
    const second = await ask('second');
    if (second) evidence.finding(second.points, 'Second answer', 'The test said so.', { from: second, techniques: ['T1566'] });
    await ask('third');
    if (alert.content.includes('watch')) await followUp({ afterHours: 48, reason: 'more may be known by then' });
  },
);

export const testbedRefusing = playbook({ title: 'Testbed refusing', alertTypes: ['Testbed refusing'] }, async () => {
  throw ApplicationFailure.nonRetryable('This alert cannot be investigated.', 'Hopeless');
});

/** An author's mistake: a plain error in workflow code must not leave the run stuck. */
export const testbedSlipping = playbook({ title: 'Testbed slipping', alertTypes: ['Testbed slipping'] }, async ({ evidence }) => {
  evidence.finding(50, 'Before the slip', 'Only the attempt that concludes scores.');
  throw new TypeError('undefined is not a function');
});

/** Asks a real connector. A question without an answer leaves only a gap. */
export const testbedEnriching = playbook(
  { title: 'Testbed enriching', alertTypes: ['Testbed enriching'] },
  async ({ alert, skills, evidence }) => {
    const answer = await skills.threatIntelligence.getEnrichment({ kind: 'ip', value: '203.0.113.66' });
    if (answer !== null) evidence.finding(60, 'The address is known', `It scores ${answer.score}.`, { from: answer });
    const alerts = await skills.threatIntelligence.listAlerts({ max_items: 5 });
    if (alerts !== null) evidence.note('Alerts there', `${alerts.items.length} for ${alert.id}.`, { from: alerts });
  },
);

/** Proposes to isolate a machine for a day. The content holds the machine's id and, optionally, the comment. */
export const testbedProposing = playbook({ title: 'Testbed proposing', alertTypes: ['Testbed proposing'] }, async ({ alert, propose }) => {
  const [machineId = '', said = alert.id] = alert.content.split(' ');
  await propose.endpointDetection.isolateMachine(
    { machine_id: machineId, comment: said },
    { reason: 'The test wants it.', releaseAfterHours: 24 },
  );
});

/** Mistakes of authors, each selected by the content of the alert. */
export const testbedFaulty = playbook(
  { title: 'Testbed faulty', alertTypes: ['Testbed faulty'] },
  async ({ alert, entities, evidence }) => {
    evidence.note('Begun', 'The mistake follows.');
    switch (alert.content) {
      case 'loop':
        while (evidence.entries.length > 0);
        break;
      case 'slow loop':
        for (let found = ''; found.length < 10; ) found = [...alert.content.repeat(1000)].sort().join('').slice(0, 1);
        break;
      case 'loop of awaits':
        for (;;) await undefined;
      case 'never':
        await new Promise(() => {});
        break;
      case 'type error':
        Reflect.get(entities, 99).value.trim();
        break;
      case 'rejection':
        // The promise of a helper, which nothing awaits.
        void Promise.reject(new RangeError('nobody awaits this'));
        await new Promise(() => {});
        break;
      case 'not a number':
        evidence.finding(Number(alert.content), 'Points', 'The content is no number.');
        break;
      case 'regular expression':
        /^(?:a+)+$/.test(`${'a'.repeat(60)}!`);
        break;
    }
  },
);

/** An author's mistake: the run ends before the answer. */
export const testbedHasty = playbook(
  { title: 'Testbed hasty', alertTypes: ['Testbed hasty'], connectors: testbedCatalogue },
  async ({ alert, skills }) => {
    void skills.testbed.ask({ question: 'too late' });
    // The test answers this one after the first one has ended.
    if (alert.content === 'wait') await skills.testbed.ask({ question: 'awaited' });
  },
);

/** A versioned change. */
export const testbedPatched = playbook(
  { title: 'Testbed patched', alertTypes: ['Testbed patched'], connectors: testbedCatalogue },
  async ({ skills, evidence }) => {
    if (patched('ask-first')) await skills.testbed.ask({ question: 'first' });
    evidence.note('Path', patched('ask-first') ? 'new' : 'old');
  },
);

/** The steps of `testbedPatched` before the change. */
export const testbedUnpatched = playbook(
  { title: 'Testbed unpatched', alertTypes: ['Testbed unpatched'], connectors: testbedCatalogue },
  async ({ evidence }) => {
    evidence.note('Path', 'old');
  },
);

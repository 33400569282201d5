import { expect, it } from 'vitest';
import { describeTaskFailure } from '../../../domain/investigation/task-failure.js';

it('names the innermost error and its place in the playbook', () => {
  const cause = { message: 'no', stackTrace: 'RangeError: no\n    at author (/app/workflows/playbooks/data-loss.ts:12:5)' };
  expect(describeTaskFailure({ message: 'Unhandled', stackTrace: 'Error\n    at process.emit (node:events:1:1)', cause }, 'dataLoss')).toBe(
    'The playbook dataLoss failed outside of its steps: RangeError: no. Place: workflows/playbooks/data-loss.ts:12. Correct the playbook and investigate the alert again.',
  );
});

it('leaves an error that is in no playbook, such as a build without the workflow', () => {
  const stackTrace =
    "TypeError: Failed to initialize workflow of type 'x'\n    at initialize (/app/node_modules/@temporalio/workflow/src/x.ts:1:1)";
  expect(describeTaskFailure({ message: 'Failed to initialize workflow', stackTrace }, 'x')).toBeNull();
});

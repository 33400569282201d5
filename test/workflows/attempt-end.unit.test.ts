import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { chooseEnd } from '../../workflows/lib/attempt-end.js';

const failed = (activity: string, cause: Error) =>
  new ActivityFailure('Activity task failed', activity, '1', 'MAXIMUM_ATTEMPTS_REACHED', undefined, cause);
const away = ApplicationFailure.create({ message: 'connect ECONNREFUSED' });
const late = new TimeoutFailure('Activity task timed out', undefined, 'SCHEDULE_TO_CLOSE');
const refused = ApplicationFailure.nonRetryable('The database refuses a value.');

it.each([
  ['the database was away for a step', failed('conclude', away), 'retry', 'recover'],
  ['a step took too long', failed('begin', late), 'retry', 'recover'],
  ['the database refuses a value', failed('conclude', refused), 'fail', 'fail'],
  ['no record could be searched', failed('searchRecords', away), 'retry', 'fail'],
  ['no question has an answer', ApplicationFailure.create({ message: 'no answer' }), 'retry', 'fail'],
  ['the playbook refuses the alert', ApplicationFailure.nonRetryable('hopeless'), 'fail', 'fail'],
  ['the code is wrong', new TypeError('undefined is not a function'), 'fail', 'fail'],
  ['a person cancelled the run', failed('conclude', new CancelledFailure('cancelled')), 'fail', 'fail'],
])('an attempt ends because %s', (_, error, earlier, last) => {
  expect(chooseEnd(error, { isLast: false })).toBe(earlier);
  expect(chooseEnd(error, { isLast: true })).toBe(last);
});

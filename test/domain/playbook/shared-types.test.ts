import { expect, it } from 'vitest';
import { describeSharedType, leaveOutSharedTypes } from '../../../domain/playbook/playbook.js';

const declared = [
  { name: 'bigUpload', alertTypes: ['Upload', 'data  LOSS'] },
  { name: 'dataLoss', alertTypes: ['Data loss'] },
  { name: 'phishing', alertTypes: ['Phishing', 'phishing '] },
];

it('leaves out the second of two playbooks for one alert type, and keeps the others', () => {
  const { kept, leftOut } = leaveOutSharedTypes(declared, new Map());
  expect(kept.map(({ name }) => name)).toEqual(['bigUpload', 'phishing']);
  expect(leftOut.map(describeSharedType)).toEqual([
    'workflows/playbooks/data-loss.ts is left out, because workflows/playbooks/big-upload.ts takes the alert type "Data loss" too. Remove it from one of them.',
  ]);
});

it('keeps the playbook that is registered for the type', () => {
  const { kept, leftOut } = leaveOutSharedTypes(declared, new Map([['data loss', 'dataLoss']]));
  expect(kept.map(({ name }) => name)).toEqual(['dataLoss', 'phishing']);
  expect(leftOut).toEqual([{ name: 'bigUpload', other: 'dataLoss', alertType: 'data  LOSS' }]);
});

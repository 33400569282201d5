import { expect, it } from 'vitest';
import { findFreeStepId } from '../../../domain/playbook/step-id.js';

it.each([
  [[], 'ask-2'],
  [['ask-2', 'ask-4'], 'ask-3'],
  [Array.from({ length: 12 }, (_, index) => `ask-${index + 2}`), 'ask-14'],
])('a copy has an id that is not one of %j', (taken, expected) => {
  expect(findFreeStepId('ask', new Set(['ask', ...taken]))).toBe(expected);
});

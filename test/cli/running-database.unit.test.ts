import { expect, it } from 'vitest';
import { describeFailure } from '../../cli/running-database.js';
import { SettingsError } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { conflict, invalid, notFound } from '../../services/errors.js';

it.each([
  conflict('A legal hold on the organization forbids the erasure. Release it first.'),
  notFound('organization with this code'),
  invalid([{ detail: 'name: is required.' }]),
  new StartError('The database is not empty.'),
  new SettingsError('PORT must be a number.'),
])('describes the refusal "$message" by its sentence, without a stack', (error) => {
  expect(describeFailure(error)).toBe(error.message);
});

it('returns any other failure whole', () => {
  const fault = new Error('fault of the service');
  expect(describeFailure(fault)).toBe(fault);
});

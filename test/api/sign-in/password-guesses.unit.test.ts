import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { PasswordGuesses } from '../../../api/sign-in/password-guesses.js';

const from = (ip: string) => ({ ip, headers: {} }) as FastifyRequest;
const createGuesses = () => new PasswordGuesses(({ ip }) => ip);

/** Begins passwords that nobody takes back, and returns the number that may be checked. */
function guess(guesses: PasswordGuesses, count: number, describe: (n: number) => [string, string]): number {
  let begun = 0;
  for (let n = 0; n < count; n += 1) {
    const [ip, user] = describe(n);
    try {
      guesses.admit(from(ip), user).end();
      begun += 1;
    } catch {}
  }
  return begun;
}

it('counts a password before its check, for a user and for an address', () => {
  expect(guess(createGuesses(), 80, () => ['192.0.2.1', 'ada'])).toBe(10);
  expect(guess(createGuesses(), 300, (n) => [`192.0.2.${n % 250}`, 'ada'])).toBe(100);
  expect(guess(createGuesses(), 300, (n) => ['192.0.2.1', `user ${n}`])).toBe(60);
  expect(guess(createGuesses(), 300, (n) => [`2001:db8::${n + 1}`, `user ${n}`])).toBe(60);
});

it('limits the passwords of an address that wait for their hash', () => {
  const guesses = createGuesses();
  const begun = Array.from({ length: 10 }, (_, n) => guesses.admit(from('192.0.2.1'), `user ${n}`));
  expect(() => guesses.admit(from('192.0.2.1'), 'one more')).toThrow('wait');
  expect(() => guesses.admit(from('192.0.2.2'), 'one more').end()).not.toThrow();
  begun[0]?.end();
  expect(() => guesses.admit(from('192.0.2.1'), 'one more').end()).not.toThrow();
});

it('locks out neither a known browser of the user nor right passwords', () => {
  const guesses = createGuesses();
  guess(guesses, 300, (n) => [`192.0.2.${n % 250}`, 'ada']);
  expect(() => guesses.admit(from('192.0.2.1'), 'ada')).toThrow('for this user');
  expect(() => guesses.admit(from('192.0.2.1'), 'Ada', 'browser of Ada').end()).not.toThrow();
  for (let count = 0; count < 200; count += 1) {
    const attempt = guesses.admit(from('198.51.100.1'), 'bob');
    attempt.takeBack();
    attempt.end();
  }
});

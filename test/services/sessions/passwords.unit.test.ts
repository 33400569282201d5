import { expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../../services/sessions/passwords.js';

it('checks the password of a known caller before those of strangers, and refuses more than the queue holds', async () => {
  const passwordHash = await hashPassword('right');
  const ended: string[] = [];
  const check = (caller: 'known' | 'stranger', password = 'wrong') =>
    isPassword(password, passwordHash, caller)
      .then((isRight) => ended.push(`${caller} ${isRight}`))
      .catch((error: Error) => ended.push(error.message));
  const strangers = Array.from({ length: 60 }, () => check('stranger'));
  await check('known', 'right');
  // At most two hashes run, and the rest waits.
  expect(ended.filter((each) => each === 'stranger false').length).toBeLessThanOrEqual(4);
  expect(ended.filter((each) => each.startsWith('Too many')).length).toBeGreaterThanOrEqual(18);
  expect(ended.at(-1)).toBe('known true');
  await Promise.all(strangers);
});

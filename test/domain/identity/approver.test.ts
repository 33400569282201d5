import { describe, expect, it } from 'vitest';
import { judgeApprovers, normalizeEmail } from '../../../domain/identity/approver.js';

const account = (email: string | null, isVerified = true) => ({ userUuid: `user of ${email}`, email, isVerified });

describe('the address of an account', () => {
  it.each([
    ['Dana@Corp.Example', 'dana@corp.example'],
    ['dana+second@corp.example', 'dana@corp.example'],
    ['dana@corp.example.', 'dana@corp.example'],
    ['ｄａｎａ@corp.example', 'dana@corp.example'],
    ['da\u200bna@corp.example', 'dana@corp.example'],
    [' dana@corp.example ', 'dana@corp.example'],
    ['"a@b"@corp.example', '"a@b"@corp.example'],
    ['dana@other.example', 'dana@other.example'],
    ['d.ana@corp.example', 'd.ana@corp.example'],
  ])('%s has the spelling %s', (email, spelling) => {
    expect(normalizeEmail(email)).toBe(spelling);
  });
});

describe('an approval of a two-person rule', () => {
  it('counts for verified accounts with different addresses only', () => {
    const reasons = judgeApprovers([
      account('dana@corp.example'),
      account('Dana+2@corp.example'),
      account('robin@corp.example', false),
      account(null),
      { userUuid: null, email: null, isVerified: false },
      account('ines@corp.example'),
    ]);
    expect(reasons).toEqual([
      null,
      expect.stringContaining('same email address'),
      expect.stringContaining('users vouch'),
      expect.stringContaining('no email address'),
      expect.stringContaining('key of a service'),
      null,
    ]);
  });
});

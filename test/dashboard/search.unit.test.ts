import { describe, expect, it } from 'vitest';
import { flag, oneOf, search, text, whole } from '../../dashboard/search.js';

const read = search({ text, status: oneOf([0, 5, 10]), verdict: oneOf(['benign', 'malicious']), from: whole, unassigned: flag });

describe('the search parameters of a page', () => {
  it('have the types of their readers', () => {
    expect(read({ text: '007', status: '5', verdict: 'benign', from: '1700000000', unassigned: 'true' })).toEqual({
      text: '007',
      status: 5,
      verdict: 'benign',
      from: 1_700_000_000,
      unassigned: true,
    });
  });

  it('are the same after the router reads its own values again', () => {
    const once = read({ status: '10', from: '60', unassigned: 'true' });
    expect(read(once)).toEqual(once);
  });

  it('are undefined with another value, so that the router does not keep it, and unknown ones are left out', () => {
    const wrong = { text: '', status: '7', verdict: 'evil', from: 'yesterday', unassigned: 'yes', other: 'x' };
    const nothing = { text: undefined, status: undefined, verdict: undefined, from: undefined, unassigned: undefined };
    expect(read(wrong)).toStrictEqual(nothing);
    expect(read({ status: null, from: -1, unassigned: ['true', 'true'] })).toStrictEqual({
      status: undefined,
      from: undefined,
      unassigned: undefined,
    });
    expect(read({})).toStrictEqual({});
  });
});

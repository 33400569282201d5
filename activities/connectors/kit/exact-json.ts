import { parse } from 'lossless-json';

/** May find one inside a text too, which costs time and nothing else. */
const LONG_INTEGER = /(?:^|[:[,])\s*-?\d{16,}\s*(?:[,\]}]|$)/;
const EXACT = {
  parseNumber: (digits: string) => (/^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits)),
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/** What a third party wrote, with integers that a number cannot hold as strings of their digits. */
export function parseExactly(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return LONG_INTEGER.test(text) ? parse(text, undefined, EXACT) : parsed;
}

import { parse } from 'lossless-json';

/** Also matches digits inside a string, which costs only time. */
const LONG_INTEGER = /(?:^|[:[,])\s*-?\d{16,}\s*(?:[,\]}]|$)/;
const EXACT = {
  parseNumber: (digits: string) => (/^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits)),
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/** Parses JSON. Integers that a number cannot hold become strings. */
export function parseExactly(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return LONG_INTEGER.test(text) ? parse(text, undefined, EXACT) : parsed;
}

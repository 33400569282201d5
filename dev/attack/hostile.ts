import { createRandom } from '../faults/random.js';

/** The same seed makes the same choices, so that a failure can be reproduced. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = createRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  of(share: number): boolean {
    return this.#next() < share;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }
}

/** JSON that an attacker or a broken program may send: not always valid. */
export function hostileValue(chance: Chance): string {
  return chance.pick<() => string>([
    () => chance.pick(['null', 'true', '{}', '[]', '-0', '1.5', '1e309', '-1e-400', '0x10', '01', '.5', 'undefined', 'Infinity', '"']),
    () => chance.pick(['9223372036854775807', '9223372036854775808', '-9223372036854775809', '9'.repeat(400), '1'.repeat(5_000)]),
    () =>
      chance.pick([
        '"\\u0000"',
        '"a\\ud800"',
        '"\\udfff\\ud800"',
        '"\\uD83D\\uDE00"',
        '"\\x00"',
        '"\\"',
        '"\t"',
        '"\u2028"',
        '"\ufeff"',
        '"\\u202e"',
      ]),
    () =>
      JSON.stringify(
        chance.pick([
          "'; drop table alerts; --",
          '" or ""="',
          '$1',
          '%s%n',
          '{{7*7}}',
          '<script>alert(1)</script>',
          '../../etc/passwd',
          '-',
          '\\',
          "Robert');",
        ]),
      ),
    () => JSON.stringify('x'.repeat(chance.pick([0, 1, 32, 33, 64, 65, 200, 201, 70_000]))),
    () => `${'['.repeat(chance.pick([1, 60, 64, 65, 5_000]))}`,
    () => `${'{"a":'.repeat(chance.pick([1, 63, 64, 3_000]))}1`,
    () => `{"__proto__": {"admin": true}, "constructor": {"prototype": 1}, "toString": ${chance.below(9)}}`,
    () => `"${String.fromCodePoint(...Array.from({ length: 40 }, () => 0x20 + chance.below(0xd000)))}"`,
  ])();
}

/** A part of a path or a query, already encoded. */
export function hostileWord(chance: Chance): string {
  return chance.pick([
    '%00',
    '%ff',
    '%ED%A0%80',
    '%',
    '%2e%2e%2f',
    '..',
    "'--",
    '%27%20or%201=1',
    'DEMO-SIEM-1',
    'DEMO-CASE-1',
    '0',
    '-1',
    '1e999',
    'x'.repeat(210),
    '%F0%9F%99%82',
    '[]',
    '*',
    '"a phrase',
    '-not',
    ':*&|!',
  ]);
}

/** A header that changes how the server reads a request. */
export function hostileHeader(chance: Chance): string {
  return chance.pick([
    'content-type: application/json',
    'content-type: text/plain',
    'content-type: application/json; charset=utf-7',
    `idempotency-key: ${'k'.repeat(chance.pick([1, 255, 256, 4_000]))}`,
    'idempotency-key: é\u0001',
    'origin: null',
    'accept: application/xml',
    'accept-encoding: nonsense;q=9',
    'content-encoding: gzip',
    'x-http-method-override: DELETE',
    'expect: 100-continue',
    'range: bytes=0-1',
    'if-none-match: *',
    'host: evil.example',
    'x-forwarded-for: 1.2.3.4, unknown',
  ]);
}

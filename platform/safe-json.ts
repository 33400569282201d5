import { isUtf8 } from 'node:buffer';

export const MAX_JSON_DEPTH = 64;
const OPENING = [0x7b, 0x5b]; // { [
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Deep nesting overflows the parser's stack, so the depth is checked before parsing. */
export function isTooDeep(body: Buffer): boolean {
  return countOpening(body) > MAX_JSON_DEPTH && measureDepth(body) > MAX_JSON_DEPTH;
}

/** Fast path: most bodies have few brackets, and native code counts them. */
function countOpening(body: Buffer): number {
  let count = 0;
  for (const bracket of OPENING) {
    for (let at = body.indexOf(bracket); at !== -1 && count <= MAX_JSON_DEPTH; at = body.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}

function measureDepth(body: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
}

/** A reviver is slow, so only a text that may have such a name gets one. An escape can hide any name. */
const MAY_POISON = /__proto__|"constructor"|\\u00/;

function refusePoison(key: string, value: unknown): unknown {
  const replacesPrototype = key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
  if (key === '__proto__' || replacesPrototype) throw new SyntaxError(`The name ${key} is not allowed`);
  return value;
}

/** JSON in UTF-8 of limited depth, without prototype poisoning. Throws an error that says what is wrong. */
export function parseSafeJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new SyntaxError('The body is not valid UTF-8');
  if (isTooDeep(body)) throw new SyntaxError(`The body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  const text = body.toString('utf8');
  return MAY_POISON.test(text) ? JSON.parse(text, refusePoison) : JSON.parse(text);
}

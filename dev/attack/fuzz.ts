import { Chance, hostileHeader, hostileValue, hostileWord } from './hostile.js';
import type { MatrixOptions } from './matrix.js';
import { type AttackRequest, findFaults, findLimit, send } from './request.js';
import { type AttackedRoute, fillPath } from './routes.js';
import { aimAt, type Json, readProperties, sampleOf } from './samples.js';
import type { Credential } from './target.js';

export interface FuzzResult {
  readonly seed: number;
  readonly requests: number;
  readonly routes: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly slowest: string;
  readonly wrong: readonly string[];
}

export interface FuzzOptions extends MatrixOptions {
  readonly seed: number;
  readonly requests: number;
}

const AT_ONCE = 12;
const PLACEHOLDER = '\u0001';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;

/** Sends each route in turn requests that are almost valid, or not at all. Most have a key that reaches the code behind the checks. */
export async function runFuzz({ target, victim, routes, principals, seed, requests, signal }: FuzzOptions): Promise<FuzzResult> {
  const chance = new Chance(seed);
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  let slowest = { ms: 0, shown: '' };
  let sent = 0;
  const [first, ...others] = [...principals].reverse();
  if (first === undefined) throw new Error('The fuzz needs a principal.');
  const sendNext = async (): Promise<void> => {
    while (sent < requests) {
      signal.throwIfAborted();
      const route = routes[sent % routes.length];
      sent += 1;
      if (route === undefined) continue;
      const { credential } = chance.of(0.7) ? first : chance.pick([first, ...others]);
      const request = buildRequest(chance, route, victim.ids, credential);
      // Another method of the path can be a route too.
      const limitMs = findLimit(routes.filter(({ path }) => path === route.path));
      const reply = await send(target.url, request, limitMs);
      const shown = `${request.method} ${request.target.slice(0, 300)} ${String(request.body ?? '').slice(0, 300)}`;
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      if (reply.ms > slowest.ms) slowest = { ms: reply.ms, shown: `${route.method} ${route.path}` };
      wrong.push(...findFaults(request, reply).map((fault) => `${shown} → ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  return {
    seed,
    requests: sent,
    routes: routes.length,
    statuses,
    slowestMs: Math.round(slowest.ms),
    slowest: slowest.shown,
    wrong,
  };
}

function buildRequest(chance: Chance, route: AttackedRoute, ids: ReadonlyMap<string, string>, credential: Credential): AttackRequest {
  const method = chance.of(0.9) ? route.method : chance.pick(METHODS);
  const body = buildBody(chance, route, ids, method);
  const key = chance.of(0.93) ? credential : [`cookie: Session=${chance.pick(['', 'x', '%00', 'a=b', '"quoted"', 'é', 'us_x'])}`];
  const headers = [
    ...key,
    ...(body === undefined || chance.of(0.05) ? [] : ['content-type: application/json']),
    ...(chance.of(0.2) ? [hostileHeader(chance)] : []),
  ];
  return { method, target: buildTarget(chance, route, ids), headers, ...(body === undefined ? {} : { body }) };
}

function buildTarget(chance: Chance, route: AttackedRoute, ids: ReadonlyMap<string, string>): string {
  const path = chance.of(0.75)
    ? fillPath(route, (name) => ids.get(name) ?? '01a1dd78-72e9-7236-aeab-ed7c2436108c')
    : route.path.replace(/:\w+|\*/g, () => hostileWord(chance));
  const names = [...Object.keys(readProperties(route.query)), 'limit', 'cursor', '__proto__', 'unknown'];
  const pairs = Array.from({ length: chance.of(0.5) ? chance.below(4) : 0 }, () => {
    const name = names[chance.below(names.length)] ?? 'limit';
    const property = readProperties(route.query)[name];
    const valid = property === undefined ? '1' : encodeURIComponent(String(sampleOf(property)));
    return `${name}=${chance.of(0.4) ? valid : hostileWord(chance)}`;
  });
  const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  if (chance.of(0.95)) return `${path}${query}`;
  return chance.pick([
    `/${path}${query}`,
    `${path}/${query}`,
    `${path}/..${path}`,
    `${path}%2f..%2f..${query}`,
    `${path};a=b${query}`,
    `${path}#fragment`,
    `http://evil.example${path}`,
    path.toUpperCase(),
    `/assets/../..${path}`,
    `${path}?${'a=b&'.repeat(3_000)}`,
  ]);
}

function buildBody(chance: Chance, route: AttackedRoute, ids: ReadonlyMap<string, string>, method: string): Buffer | undefined {
  const hasBody = route.body !== null && method !== 'GET' && method !== 'HEAD';
  if (!hasBody && !chance.of(0.1)) return undefined;
  const valid =
    hasBody && route.body !== null
      ? aimAt(
          sampleOf(route.body, () => chance.of(0.4)),
          ids,
        )
      : {};
  let text = chance.of(0.85) ? replaceOne(chance, valid) : JSON.stringify(valid);
  if (chance.of(0.08)) text = text.slice(0, chance.below(text.length));
  if (chance.of(0.04)) text = chance.pick(['', ' ', 'null', '[]', '\u0000', '\ufeff{}', `${text}${text}`]);
  if (chance.of(0.01)) text = JSON.stringify({ ...(typeof valid === 'object' ? valid : {}), name: 'x'.repeat(1_100_000) });
  const bytes = Buffer.from(text);
  if (chance.of(0.08) && bytes.length > 0) for (let hits = 0; hits < 3; hits += 1) bytes[chance.below(bytes.length)] = chance.below(256);
  return bytes;
}

/** One place of the value, at any depth, becomes hostile JSON, or an unknown field appears. */
function replaceOne(chance: Chance, value: Json): string {
  const places = countPlaces(value);
  let at = chance.below(places + 1);
  const walk = (each: Json): Json => {
    if (at-- === 0) return PLACEHOLDER;
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, walk(inner)]));
  };
  const replaced = walk(value);
  const isWhole = at >= 0;
  const extended =
    isWhole && typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, extra: PLACEHOLDER } : replaced;
  return JSON.stringify(extended).replace(JSON.stringify(PLACEHOLDER), () => hostileValue(chance));
}

function countPlaces(value: Json): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, each) => sum + countPlaces(each), 1);
}

import { type Digests, findChanged, VictimRows } from './digest.js';
import type { AttackPrincipal } from './principals.js';
import { type AttackReply, findFaults, findLimit, send } from './request.js';
import { type AttackedRoute, buildRequest } from './routes.js';
import type { Target } from './target.js';
import type { Victim } from './victim.js';

export interface MatrixResult {
  readonly routes: number;
  readonly principals: readonly string[];
  readonly cells: number;
  /** Cells by the expectation that they met: refused, foreign, public, allowed. */
  readonly met: Readonly<Record<Expectation, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly watchedTables: number;
  readonly withoutRecord: readonly string[];
  readonly wrong: readonly string[];
}

/**
 * refused: the role may not call the route. foreign: the role may, and the victim's records are out of its scope. public: the route needs no
 * key of the API. allowed: the role may, and the request has no record.
 */
type Expectation = 'refused' | 'foreign' | 'public' | 'allowed';

export interface MatrixOptions {
  readonly target: Target;
  readonly victim: Victim;
  readonly routes: readonly AttackedRoute[];
  readonly principals: readonly AttackPrincipal[];
  readonly signal: AbortSignal;
}

/** One cell: one principal calls one route. A refused or a foreign cell aims at the victim's records with a valid request. */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { target, victim, routes, principals, signal } = options;
  const rows = await VictimRows.of(target.database.pg, victim.organizationUuid);
  const secrets = await rows.ids();
  const met = { refused: 0, foreign: 0, public: 0, allowed: 0 };
  const statuses: Record<string, number> = {};
  const wrong = victim.withoutRecord.map((name) => `no row of the victim has an id for :${name}; dev/attack/stored-records.ts stores rows`);
  let before: Digests | null = null;
  let cells = 0;
  for (const principal of principals) {
    // A public route can end the session of the principal.
    for (const route of [...routes].sort((one, other) => Number(one.access === 'public') - Number(other.access === 'public'))) {
      signal.throwIfAborted();
      const expectation = findExpectation(route, principal);
      before ??= await rows.digest();
      const { reply, sent } = await callCell(target, victim, { route, principal, expectation });
      const faults = [...findFaults(route, reply), ...checkStatus(route, principal, expectation, reply)];
      const isWatched = expectation !== 'allowed' && (principal.isStranger || expectation === 'refused');
      const after = isWatched ? await rows.digest() : null;
      if (after !== null) {
        faults.push(...findChanged(before, after).map((table) => `it changed rows of the victim in ${table}`));
        faults.push(...findShown(reply, sent, victim, secrets));
      }
      before = after;
      cells += 1;
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      if (faults.length === 0) met[expectation] += 1;
      wrong.push(...faults.map((fault) => `${principal.name}: ${route.method} ${route.path} → ${reply.status}: ${fault}`));
    }
  }
  const names = principals.map(({ name }) => name);
  const { withoutRecord } = victim;
  return { routes: routes.length, principals: names, cells, met, statuses, watchedTables: rows.tables.length, withoutRecord, wrong };
}

function findExpectation({ access }: AttackedRoute, { role, isStranger }: AttackPrincipal): Expectation {
  if (access === 'public') return 'public';
  if (role === null || !access.includes(role)) return 'refused';
  return isStranger ? 'foreign' : 'allowed';
}

interface Cell {
  readonly route: AttackedRoute;
  readonly principal: AttackPrincipal;
  readonly expectation: Expectation;
}

async function callCell(target: Target, victim: Victim, { route, principal, expectation }: Cell) {
  const request = buildRequest(route, principal.credential, expectation === 'allowed' ? null : victim.ids);
  return { reply: await send(target.url, request, findLimit([route])), sent: `${request.target} ${request.body ?? ''}` };
}

function checkStatus(route: AttackedRoute, { role }: AttackPrincipal, expectation: Expectation, { status, body }: AttackReply): string[] {
  if (expectation === 'refused') {
    const expected = role === null ? 401 : 403;
    return status === expected || status === 429 ? [] : [`the reply is ${status} instead of ${expected}`];
  }
  // A rule of the route can refuse it too: only a user has an inbox, for example.
  const isRoleRefused = status === 401 || (status === 403 && /needs the role|two-factor/.test(body));
  if (expectation === 'allowed') return isRoleRefused ? ['the role is refused'] : [];
  if (expectation === 'foreign' && status === 401) return ['the credential ended during the run'];
  const namesRecord = route.parameters.length > 0;
  return expectation === 'foreign' && namesRecord && status < 400 ? [`the reply is ${status} for a record of the victim`] : [];
}

function findShown({ head, body }: AttackReply, sent: string, { marker }: Victim, secrets: ReadonlySet<string>): string[] {
  const shown = `${head} ${body}`;
  const ids = [...new Set(shown.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g))];
  const foreign = ids.filter((id) => secrets.has(id) && !sent.includes(id));
  return [
    ...(shown.includes(marker) ? ['it shows a text of the victim'] : []),
    ...foreign.map((id) => `it shows the id ${id} of the victim`),
  ];
}

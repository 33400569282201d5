import { z } from 'zod';
import { MALICIOUS_SCORE } from '../../../domain/playbook/capability.js';
import type { SkillQuestion } from '../../../domain/playbook/planner.js';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';

export const QueryRow = z.record(z.string(), z.unknown());

/** A query of the plans about one value. Several values of the same query fit into one call. */
export interface Hunted {
  /** `{item}` or `{account}` becomes a quoted string. */
  readonly query: string;
  readonly tables: string;
  /** The columns that may hold the value, and how they are compared with it. */
  readonly columns: readonly string[];
  readonly operator: '==' | '=~' | 'has';
  /** A condition for all values. */
  readonly also: string | null;
  /** The newest row for each of these columns. null: all rows. */
  readonly newestBy: readonly string[] | null;
  /** The most rows of an answer. */
  readonly most: number;
}

export const SHOWN_COLUMNS = ['Timestamp', 'DeviceId', 'DeviceName', 'ActionType', 'InitiatingProcessFileName'] as const;
const MAX_SIGHTINGS = 20;
const MAX_LOGONS = 3;

/** Where the raw events name an indicator of each kind. */
const SIGHTED = [
  { of: 'ip', tables: 'DeviceNetworkEvents', columns: ['RemoteIP'], operator: '==' },
  { of: 'domain', tables: 'DeviceNetworkEvents', columns: ['RemoteUrl'], operator: 'has' },
  { of: 'hash', tables: 'union DeviceFileEvents, DeviceProcessEvents', columns: ['SHA256', 'SHA1', 'MD5'], operator: '==' },
] as const;

const HUNTED_INDICATORS = SIGHTED.map(({ of, ...sighted }): Hunted & { of: (typeof SIGHTED)[number]['of'] } => {
  const { tables, columns, operator } = sighted;
  const where = columns.map((column) => `${column} ${operator} {item}`).join(' or ');
  const query = `${tables} | where ${where} | project ${SHOWN_COLUMNS.join(', ')} | take ${MAX_SIGHTINGS}`;
  return { of, query, ...sighted, also: null, newestBy: null, most: MAX_SIGHTINGS };
});

const HUNTED_ACCOUNTS: Hunted = {
  query: `DeviceLogonEvents | where AccountName =~ {account} and ActionType == "LogonSuccess" | summarize Timestamp = max(Timestamp) by DeviceId, DeviceName | top ${MAX_LOGONS} by Timestamp`,
  tables: 'DeviceLogonEvents',
  columns: ['AccountName'],
  operator: '=~',
  also: 'ActionType == "LogonSuccess"',
  newestBy: ['DeviceId', 'DeviceName'],
  most: MAX_LOGONS,
};

export const HUNTED: readonly Hunted[] = [...HUNTED_INDICATORS, HUNTED_ACCOUNTS];

/** Asks only about indicators with a bad reputation: a sighting of a harmless one says nothing. */
const sightings: readonly SkillQuestion[] = HUNTED_INDICATORS.map(({ of, query, most }) => ({
  about: { capability: 'reputation', of, take: 'indicator', when: [{ fact: 'score', is: 'at-least', value: MALICIOUS_SCORE }] },
  atMost: 3,
  input: { query: { take: 'text', text: query }, max_items: { take: 'value', value: most } },
  proves: [],
  shows: ['items[].DeviceName', 'items[].Timestamp', 'items[].InitiatingProcessFileName'],
  identifies: { asset: 'machine', path: 'items[].DeviceName' },
  leadsTo: [{ kind: 'host', path: 'items[].DeviceName' }],
  why: `Shows which machines of the organization had contact with the ${of}.`,
}));

/** The platform cannot list machines by user. Hunting queries have a small quota, so only alerts without a machine ask. */
const logons: SkillQuestion = {
  about: 'user',
  only: 'without-machine',
  atMost: 2,
  followsHops: false,
  input: {
    query: { take: 'text', text: HUNTED_ACCOUNTS.query },
    max_items: { take: 'value', value: HUNTED_ACCOUNTS.most },
  },
  proves: [],
  shows: ['items[].DeviceName', 'items[].Timestamp'],
  leadsTo: [{ kind: 'host', path: 'items[].DeviceName' }],
  why: 'Shows which machines the account used last: an attack on an account shows on its machines.',
};

export const huntingSkills = {
  runAdvancedQuery: defineSkill({
    title: 'Run advanced query',
    purpose: 'Runs a hunting query on the raw events of the last 30 days.',
    effect: 'read',
    call: 'POST /api/advancedqueries/run',
    permission: 'AdvancedQuery.Read.All',
    timeoutSeconds: 300,
    // Many alerts of one campaign ask where the same indicator was seen.
    reuseSeconds: 120,
    answers: [...sightings, logons],
    input: z.object({ query: z.string().min(1).max(20_000), max_items: maxItems }),
    output: listOutput(QueryRow).extend({ schema: z.array(z.object({ name: z.string(), type: z.string() })) }),
  }),
};

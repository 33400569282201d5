import { z } from 'zod';
import { MALICIOUS_SCORE } from '../../../domain/playbook/capability.js';
import type { SkillQuestion } from '../../../domain/playbook/planner.js';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';

export const QueryRow = z.record(z.string(), z.unknown());

/** Where the raw events name an indicator of each kind. `{item}` becomes a quoted string. */
const SIGHTED = [
  { of: 'ip', query: 'DeviceNetworkEvents | where RemoteIP == {item}' },
  { of: 'domain', query: 'DeviceNetworkEvents | where RemoteUrl has {item}' },
  { of: 'hash', query: 'union DeviceFileEvents, DeviceProcessEvents | where SHA256 == {item} or SHA1 == {item} or MD5 == {item}' },
] as const;

/** Asks only about indicators with a bad reputation: a sighting of a harmless one says nothing. */
const sightings: readonly SkillQuestion[] = SIGHTED.map(({ of, query }) => ({
  about: { capability: 'reputation', of, take: 'indicator', when: [{ fact: 'score', is: 'at-least', value: MALICIOUS_SCORE }] },
  atMost: 3,
  input: {
    query: { take: 'text', text: `${query} | project Timestamp, DeviceId, DeviceName, ActionType, InitiatingProcessFileName | take 20` },
    max_items: { take: 'value', value: 20 },
  },
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
    query: {
      take: 'text',
      text: 'DeviceLogonEvents | where AccountName =~ {account} and ActionType == "LogonSuccess" | summarize Timestamp = max(Timestamp) by DeviceId, DeviceName | top 3 by Timestamp',
    },
    max_items: { take: 'value', value: 3 },
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

import { z } from 'zod';
import type { SkillQuestion } from '../../../domain/playbook/planner.js';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';
import { flag, id, LIST_SECONDS, MACHINE_READ, machineId, text, texts, time, word } from './fields.js';

export const Machine = z.looseObject({
  id,
  computerDnsName: text,
  firstSeen: text,
  lastSeen: text,
  osPlatform: text,
  lastIpAddress: text,
  lastExternalIpAddress: text,
  healthStatus: text,
  riskScore: text,
  deviceValue: text,
  exposureLevel: text,
  onboardingStatus: text,
  aadDeviceId: text,
  machineTags: texts,
  ipAddresses: z.array(z.looseObject({ ipAddress: text, macAddress: text })).catch([]),
});

export const LogonUser = z.looseObject({
  id,
  accountName: text,
  accountDomain: text,
  firstSeen: text,
  lastSeen: text,
  logonTypes: text.describe('Joined with commas: "Interactive, RemoteInteractive".'),
  isDomainAdmin: flag,
});

/** The rating alone says little: good machines are rated high at times, and attacked ones low. */
const machineRisk = (path: string): SkillQuestion['proves'] => [
  { when: [{ path: `${path}deviceValue`, is: 'equals', value: 'High' }], fact: 'important-asset' },
  { when: [{ path: `${path}riskScore`, is: 'equals', value: 'High' }], points: 10, says: 'Machine rated high risk' },
];

const FOUND_MACHINE = {
  leadsTo: [
    { kind: 'machine-id', path: 'items[].id' },
    { kind: 'host', path: 'items[].computerDnsName' },
  ],
  identifies: { asset: 'machine', path: 'items[].id' },
  followsHops: false,
} as const satisfies Pick<SkillQuestion, 'leadsTo' | 'identifies' | 'followsHops'>;

export const machineSkills = {
  listMachines: defineSkill({
    title: 'List machines',
    purpose: 'Lists machines. Filters by name, address, health, platform, risk, exposure and tag.',
    effect: 'read',
    call: 'GET /api/machines',
    permission: MACHINE_READ,
    timeoutSeconds: LIST_SECONDS,
    reuseSeconds: 300,
    answers: [
      {
        about: 'host',
        input: { computer_dns_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        proves: machineRisk('items[].'),
        shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].exposureLevel', 'items[].healthStatus'],
        ...FOUND_MACHINE,
        why: 'The endpoint platform knows the machine in the alert.',
      },
      {
        about: 'domain',
        only: 'machine-like',
        input: { computer_dns_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        proves: [],
        shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].healthStatus'],
        ...FOUND_MACHINE,
        why: 'The name may be that of a machine of the organization.',
      },
      {
        about: 'ip',
        only: 'private',
        input: { last_ip_address: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        proves: machineRisk('items[].'),
        shows: ['items[].computerDnsName', 'items[].riskScore', 'items[].healthStatus'],
        ...FOUND_MACHINE,
        why: 'Finds the machine that had the internal address.',
      },
    ],
    input: z.object({
      computer_dns_name: word.optional(),
      last_ip_address: z.union([z.ipv4().max(15), z.ipv6().max(45)]).optional(),
      health_status: word.optional(),
      os_platform: word.optional(),
      risk_score: z
        .array(z.enum(['None', 'Informational', 'Low', 'Medium', 'High']))
        .min(1)
        .max(5)
        .optional(),
      exposure_level: z
        .array(z.enum(['None', 'Low', 'Medium', 'High']))
        .min(1)
        .max(4)
        .optional(),
      machine_tag: word.optional(),
      aad_device_id: word.optional(),
      last_seen_since: time.optional(),
      max_items: maxItems,
    }),
    output: listOutput(Machine),
  }),
  getMachine: defineSkill({
    title: 'Get machine',
    purpose: 'Reads one machine.',
    effect: 'read',
    call: 'GET /api/machines/{id}',
    permission: MACHINE_READ,
    timeoutSeconds: 30,
    answers: [
      {
        about: 'machine-id',
        input: { machine_id: { take: 'item' } },
        proves: machineRisk(''),
        shows: ['computerDnsName', 'riskScore', 'exposureLevel', 'healthStatus'],
        leadsTo: [{ kind: 'host', path: 'computerDnsName' }],
        identifies: { asset: 'machine', path: 'id' },
        followsHops: false,
        why: 'The endpoint platform knows the machine in the alert.',
      },
    ],
    input: z.object({ machine_id: machineId }),
    output: Machine,
  }),
  listMachineLogonUsers: defineSkill({
    title: 'List machine logon users',
    purpose: 'Lists the users who signed in to a machine.',
    effect: 'read',
    call: 'GET /api/machines/{id}/logonusers',
    permission: 'User.Read.All',
    timeoutSeconds: 60,
    answers: [
      {
        about: 'machine-id',
        atMost: 2,
        input: { machine_id: { take: 'item' }, max_items: { take: 'value', value: 200 } },
        proves: [
          { when: [{ path: 'items[].isDomainAdmin', is: 'true' }], fact: 'important-asset', says: 'Domain administrator signed in' },
        ],
        shows: ['items[].accountName', 'items[].lastSeen', 'items[].isDomainAdmin'],
        why: 'An attacker on the machine can reach the accounts that signed in to it.',
      },
    ],
    input: z.object({ machine_id: machineId, max_items: maxItems }),
    output: listOutput(LogonUser),
  }),
};

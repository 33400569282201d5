import { z } from 'zod';
import type { SkillQuestion } from '../../../domain/playbook/planner.js';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';
import { count, cveId, flag, id, LIST_SECONDS, machineId, text, time, word } from './fields.js';

export const Vulnerability = z.looseObject({
  id,
  name: text,
  description: text,
  severity: text,
  cvssV3: count,
  exposedMachines: count,
  publishedOn: text,
  updatedOn: text,
  publicExploit: flag,
  exploitVerified: flag,
  exploitInKit: flag,
  epss: count,
});

export const MachineVulnerability = z.looseObject({
  id,
  cveId: text,
  machineId: text,
  fixingKbId: text,
  productName: text,
  productVendor: text,
  productVersion: text,
  severity: text,
});

export const Recommendation = z.looseObject({
  id,
  productName: text,
  vendor: text,
  recommendationName: text,
  recommendedVersion: text,
  severityScore: count,
  weaknesses: count,
  remediationType: text,
  status: text,
  exposedMachinesCount: count,
  publicExploit: flag,
});

/** The filter of the third party becomes part of an address, which may not be long. */
const MAX_CVES = 20;

/** The answers that hold a machine only if the platform knows it: nothing is absent from a machine that it does not know. */
const KNOWN_MACHINES = [
  { verb: 'listMachines', path: 'items[].id' },
  { verb: 'getMachine', path: 'id' },
  { verb: 'getAlert', path: 'machineId' },
] as const;

const ofKnownMachines = KNOWN_MACHINES.map(
  (about): SkillQuestion => ({
    about,
    input: {
      machine_id: { take: 'item' },
      cve_ids: { take: 'alert-entities', kind: 'cve', atMost: MAX_CVES },
      max_items: { take: 'value', value: 100 },
    },
    proves: [
      { when: [{ path: 'items[].id', is: 'present' }], fact: 'vulnerability-present' },
      { when: [{ path: 'cut', is: 'absent' }], fact: 'vulnerability-absent' },
    ],
    shows: ['items[].productName', 'items[].productVersion', 'items[].fixingKbId', 'items[].cveId'],
    why: 'Shows whether the machine in the alert has the vulnerabilities in the alert.',
  }),
);

export const vulnerabilitySkills = {
  listVulnerabilities: defineSkill({
    title: 'List vulnerabilities',
    purpose: 'Lists the vulnerabilities of the organization.',
    effect: 'read',
    call: 'GET /api/Vulnerabilities',
    permission: 'Vulnerability.Read.All',
    timeoutSeconds: LIST_SECONDS,
    answers: [
      {
        about: 'cve',
        input: { cve_id: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        proves: [
          {
            inOne: 'items[]',
            when: [
              { path: ['exploitVerified', 'exploitInKit'], is: 'true' },
              { path: 'exposedMachines', is: 'at-least', value: 1 },
            ],
            fact: 'exploited-in-organization',
            techniques: ['T1190'],
          },
          {
            inOne: 'items[]',
            when: [
              { path: 'publicExploit', is: 'true' },
              { path: 'exposedMachines', is: 'at-least', value: 1 },
            ],
            fact: 'exploitable-in-organization',
            techniques: ['T1190'],
          },
          {
            inOne: 'items[]',
            when: [{ path: 'publicExploit', is: 'equals', value: 'false' }],
            fact: 'low-risk-vulnerability',
          },
        ],
        shows: ['items[].severity', 'items[].cvssV3', 'items[].exposedMachines'],
        why: 'A vulnerability matters only if machines of the organization have it.',
      },
    ],
    input: z.object({
      cve_id: cveId.optional(),
      severity: word.optional(),
      published_since: time.optional(),
      updated_since: time.optional(),
      max_items: maxItems,
    }),
    output: listOutput(Vulnerability),
  }),
  listMachinesVulnerabilities: defineSkill({
    title: 'List machines vulnerabilities',
    purpose: 'Lists machines with their vulnerabilities and the products that cause them.',
    effect: 'read',
    call: 'GET /api/vulnerabilities/machinesVulnerabilities',
    permission: 'Vulnerability.Read.All',
    timeoutSeconds: LIST_SECONDS,
    answers: [
      {
        about: 'cve',
        categories: ['vulnerability'],
        input: { cve_id: { take: 'item' }, max_items: { take: 'value', value: 200 } },
        proves: [],
        shows: ['items[].machineId', 'items[].productName', 'items[].productVersion', 'items[].fixingKbId'],
        why: 'Finds the vulnerable machines and the products that cause it.',
      },
      ...ofKnownMachines,
    ],
    input: z.object({
      machine_id: machineId.optional(),
      cve_id: cveId.optional(),
      cve_ids: z.array(cveId).min(1).max(MAX_CVES).optional().describe('Machines with any of these vulnerabilities.'),
      severity: word.optional(),
      product_name: word.optional(),
      max_items: maxItems,
    }),
    output: listOutput(MachineVulnerability),
  }),
  listRecommendations: defineSkill({
    title: 'List recommendations',
    purpose: 'Lists the security recommendations of the platform.',
    effect: 'read',
    call: 'GET /api/recommendations',
    permission: 'SecurityRecommendation.Read.All',
    timeoutSeconds: LIST_SECONDS,
    answers: [
      {
        about: { verb: 'listMachinesVulnerabilities', of: 'cve', path: 'items[].productName' },
        atMost: 3,
        categories: ['vulnerability'],
        input: { product_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
        proves: [],
        shows: ['items[].recommendationName', 'items[].recommendedVersion', 'items[].remediationType', 'items[].status'],
        why: 'The platform recommends a fix for the vulnerable product.',
      },
    ],
    input: z.object({
      product_name: word.optional(),
      vendor: word.optional(),
      remediation_type: word.optional(),
      status: word.optional(),
      max_items: maxItems,
    }),
    output: listOutput(Recommendation),
  }),
};

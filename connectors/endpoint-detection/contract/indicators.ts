import { z } from 'zod';
import { MALICIOUS_SCORE } from '../../../domain/playbook/capability.js';
import type { SkillRemedy } from '../../../domain/playbook/planner.js';
import type { AffectedBy } from '../../../domain/response/write.js';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';
import { flag, idOrNull, LIST_SECONDS, PROPOSED_BY, Severity, text, texts, time, word } from './fields.js';

export const Indicator = z.looseObject({
  id: idOrNull,
  indicatorValue: text,
  indicatorType: text,
  action: text,
  severity: text,
  title: text,
  description: text,
  application: text,
  expirationTime: text,
  generateAlert: flag,
  rbacGroupNames: texts,
});

const HOST_TYPES = ['IpAddress', 'DomainName', 'Url'] as const;
const OF_A_HOST = { path: 'indicator_type', isOneOf: HOST_TYPES } as const;
const BLOCKS = { path: 'action', isOneOf: ['Warn', 'Block', 'BlockAndRemediate', 'AlertAndBlock'] } as const;

const NAMED_HOST = { take: 'host', path: 'indicator_value' } as const;
const FOUND_MACHINES = {
  verb: 'listMachines',
  hosts: 'items[].computerDnsName',
  tags: 'items[].machineTags[]',
  mayBeNone: true,
} as const;
const AT_MOST = { take: 'value', value: 10 } as const;
const AS_NAME_OR_URL = { path: 'indicator_type', isOneOf: ['DomainName', 'Url'] } as const;

/** A block of a name or an address, also in a URL, affects the machine that has it. */
const touchesHost = [
  {
    ...FOUND_MACHINES,
    input: { last_ip_address: NAMED_HOST, max_items: AT_MOST },
    when: { path: 'indicator_type', isOneOf: ['IpAddress'] },
  },
  {
    ...FOUND_MACHINES,
    input: { last_ip_address: NAMED_HOST, max_items: AT_MOST },
    whenHost: { path: 'indicator_value', is: 'address', when: [BLOCKS, AS_NAME_OR_URL] },
  },
  {
    ...FOUND_MACHINES,
    input: { computer_dns_name: NAMED_HOST, max_items: AT_MOST },
    whenHost: { path: 'indicator_value', is: 'name', when: [BLOCKS, OF_A_HOST] },
  },
] as const satisfies readonly AffectedBy[];

const WHOLE_DOMAIN = 'It blocks a whole domain.';

/** The platform's name of each type. The length of a digest tells its algorithm. */
const BLOCKED = [
  { type: 'DomainName', of: 'domain' },
  { type: 'Url', of: 'url' },
  { type: 'IpAddress', of: 'ip' },
  { type: 'FileSha256', of: 'hash', length: 64 },
  { type: 'FileSha1', of: 'hash', length: 40 },
  { type: 'FileMd5', of: 'hash', length: 32 },
] as const;

/** Blocks only indicators with a malicious reputation: an alert also names harmless ones. */
const blocking: readonly SkillRemedy[] = BLOCKED.map((blocked) => ({
  about: {
    capability: 'reputation',
    of: blocked.of,
    take: 'indicator',
    when: [
      { fact: 'score', is: 'at-least', value: MALICIOUS_SCORE },
      ...('length' in blocked ? [{ fact: 'indicator', is: 'has-length', value: blocked.length } as const] : []),
    ],
  },
  name: blocked.type,
  input: {
    indicator_value: { take: 'item' },
    indicator_type: { take: 'value', value: blocked.type },
    action: { take: 'value', value: 'Block' },
    title: { take: 'value', value: 'Malicious reputation' },
    description: { take: 'value', value: PROPOSED_BY },
  },
  from: 'malicious',
  why: `The ${blocked.of} has a malicious reputation. A block protects every other machine of the organization.`,
}));

export const indicatorSkills = {
  listIndicators: defineSkill({
    title: 'List indicators',
    purpose: 'Lists the indicators that the platform blocks, warns about or allows.',
    effect: 'read',
    call: 'GET /api/indicators',
    permission: 'Ti.ReadWrite (own indicators) or Ti.ReadWrite.All (all)',
    timeoutSeconds: LIST_SECONDS,
    input: z.object({
      indicator_value: z.string().min(1).max(2048).optional(),
      indicator_type: word.optional(),
      action: word.optional(),
      severity: Severity.optional(),
      max_items: maxItems,
    }),
    output: listOutput(Indicator),
  }),
  createIndicator: defineSkill({
    title: 'Create indicator',
    purpose: 'Creates an indicator, or updates the one with the same value.',
    effect: 'write',
    call: 'POST /api/indicators',
    permission: 'Ti.ReadWrite.All',
    timeoutSeconds: 60,
    sentence: {
      template: '{action} {indicator_value} on {rbac_group_names} of {organization}',
      words: {
        action: {
          Allowed: 'Allow',
          Alert: 'Alert on',
          AlertAndBlock: 'Alert on and block',
          BlockAndRemediate: 'Block and remediate',
          Warn: 'Warn about',
        },
      },
      otherwise: { rbac_group_names: 'all endpoints' },
    },
    target: ['indicator_value', 'action'],
    touches: touchesHost,
    namesHosts: [{ path: 'indicator_value', when: [BLOCKS, OF_A_HOST] }],
    namesOnAnyHost: [
      {
        path: 'indicator_value',
        when: [BLOCKS, { path: 'indicator_type', isOneOf: ['FileSha1', 'FileSha256', 'FileMd5', 'CertificateThumbprint'] }],
      },
    ],
    sensitive: [
      { why: WHOLE_DOMAIN, when: [BLOCKS, { path: 'indicator_type', isOneOf: ['DomainName'] }] },
      { why: WHOLE_DOMAIN, when: [BLOCKS, { path: 'indicator_type', isOneOf: ['Url'] }], wholeHostAt: 'indicator_value' },
    ],
    doneWhen: {
      verb: 'listIndicators',
      input: {
        indicator_value: { take: 'input', path: 'indicator_value' },
        action: { take: 'input', path: 'action' },
        max_items: { take: 'value', value: 1 },
      },
      path: 'items[].id',
    },
    remedies: blocking,
    input: z
      .object({
        indicator_value: z.string().min(1).max(2048),
        indicator_type: z.enum(['FileSha1', 'FileSha256', 'FileMd5', 'CertificateThumbprint', 'IpAddress', 'DomainName', 'Url']),
        action: z.enum(['Warn', 'Block', 'Audit', 'BlockAndRemediate', 'Allowed', 'Alert', 'AlertAndBlock']),
        title: z.string().min(1).max(200),
        description: z.string().min(1).max(1000),
        application: word.optional(),
        expiration_time: time.optional(),
        severity: Severity.optional(),
        recommended_actions: z.string().max(1000).optional(),
        rbac_group_names: z.array(word).max(100).optional(),
        generate_alert: z.boolean().default(true),
      })
      .refine(({ action, generate_alert }) => action !== 'Audit' || generate_alert, {
        error: 'must be true with the action Audit',
        path: ['generate_alert'],
      }),
    output: Indicator,
  }),
};

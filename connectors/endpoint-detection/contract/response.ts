import { z } from 'zod';
import type { SkillRemedy } from '../../../domain/playbook/planner.js';
import type { ActionEnd, AffectedBy, DoneWhen } from '../../../domain/response/write.js';
import { defineSkill } from '../../kit/define.js';
import { comment, count, id, machineId, PROPOSED_BY, text } from './fields.js';

export const MachineAction = z.looseObject({
  id,
  type: text,
  status: text.describe('Pending, InProgress, Succeeded, Failed, TimeOut or Cancelled.'),
  scope: text,
  machineId: text,
  computerDnsName: text,
  requestor: text,
  requestorComment: text,
  creationDateTimeUtc: text,
  lastUpdateDateTimeUtc: text,
  errorHResult: count,
  commands: z.array(z.looseObject({ index: count, commandStatus: text })).catch([]),
});

/** The name of the machine, or its id where the platform did not name it. */
const NAMED_MACHINE = { hosts: 'the machine {machine_id}' } as const;

const COMMAND_ORDER = ['PutFile', 'RunScript', 'GetFile'];

const LiveCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('PutFile'), file_name: z.string().min(1).max(260) }),
  z.object({ type: z.literal('RunScript'), script_name: z.string().min(1).max(260), args: z.string().max(4000).optional() }),
  z.object({ type: z.literal('GetFile'), path: z.string().min(1).max(1000) }),
]);

const OF_THE_MACHINE = { machine_id: { take: 'input', path: 'machine_id' } } as const;

/** The platforms of workstations and phones. The platform reports Linux for servers. */
const WORKSTATIONS = ['Windows11', 'Windows10', 'Windows10WVD', 'Windows8Blue', 'Windows8', 'Windows7', 'macOS', 'iOS', 'Android'];

/** The computer, and every user who signed in to it. */
const touchesMachine = [
  {
    verb: 'getMachine',
    input: OF_THE_MACHINE,
    hosts: 'computerDnsName',
    tags: 'machineTags[]',
    servers: { path: 'osPlatform', unlessOneOf: WORKSTATIONS },
  },
  {
    verb: 'listMachineLogonUsers',
    input: { ...OF_THE_MACHINE, max_items: { take: 'value', value: 100 } },
    users: 'items[].accountName',
  },
] as const satisfies readonly AffectedBy[];

/** The third party holds an action until its machine is online. */
const endsAsAction = {
  verb: 'getMachineAction',
  input: { action_id: { take: 'output', path: 'id' } },
  path: 'status',
  success: ['Succeeded'],
  failure: ['Failed', 'TimeOut', 'Cancelled'],
  everySeconds: 120,
  atMostSeconds: 24 * 3600,
} as const satisfies ActionEnd;

const ISOLATION_ACTIONS = ['Isolate', 'Unisolate'] as const;

/** The list has the newest action first. */
const whenNewestIs = (is: (typeof ISOLATION_ACTIONS)[number]) =>
  ({
    verb: 'listMachineActions',
    input: {
      ...OF_THE_MACHINE,
      status: { take: 'value', value: 'Succeeded' },
      created_since: { take: 'proposedAt' },
      max_items: { take: 'value', value: 100 },
    },
    path: 'items[].type',
    first: { among: ISOLATION_ACTIONS, is },
  }) as const satisfies DoneWhen;

/** The machines that an alert names by host name or by id. */
const FOUND_MACHINES = [
  { verb: 'listMachines', of: 'host', path: 'items[].id' },
  { verb: 'getMachine', of: 'machine-id', path: 'id' },
] as const;

/** Ransomware is isolated on suspicion, other malware on a malicious verdict. The first remedy that fits counts. */
const isolation: readonly SkillRemedy[] = FOUND_MACHINES.flatMap((about) => [
  {
    about,
    categories: ['ransomware'],
    input: { machine_id: { take: 'item' }, comment: { take: 'value', value: PROPOSED_BY } },
    from: 'suspicious',
    releaseAfterHours: 72,
    why: 'Ransomware spreads within minutes. An isolated machine cannot reach the files of others.',
  },
  {
    about,
    categories: ['malware', 'command-and-control'],
    input: { machine_id: { take: 'item' }, comment: { take: 'value', value: PROPOSED_BY } },
    from: 'malicious',
    releaseAfterHours: 24,
    why: 'Isolation ends the attacker’s control and stops the move to other machines.',
  },
]);

function isInOrder(commands: readonly { readonly type: string }[]): boolean {
  const places = commands.map(({ type }) => COMMAND_ORDER.indexOf(type));
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}

export const responseSkills = {
  isolateMachine: defineSkill({
    title: 'Isolate machine',
    purpose: 'Isolates a machine from the network. Returns the action; Get machine action reads its result.',
    effect: 'write',
    call: 'POST /api/machines/{id}/isolate',
    permission: 'Machine.Isolate',
    timeoutSeconds: 60,
    sentence: { template: 'Isolate {hosts} of {organization} from the network', otherwise: NAMED_MACHINE },
    target: ['machine_id'],
    touches: touchesMachine,
    sensitive: [{ why: 'It isolates a server, or a machine that may be one.', onServers: true }],
    ends: endsAsAction,
    doneWhen: whenNewestIs('Isolate'),
    undoneBy: {
      verb: 'unisolateMachine',
      input: { ...OF_THE_MACHINE, comment: { take: 'value', value: 'The isolation period has ended.' } },
    },
    remedies: isolation,
    input: z.object({
      machine_id: machineId,
      comment,
      isolation_type: z
        .enum(['Full', 'Selective', 'UnManagedDevice'])
        .default('Full')
        .describe('Selective keeps mail and messaging available; UnManagedDevice is for machines without a sensor.'),
    }),
    output: MachineAction,
  }),
  unisolateMachine: defineSkill({
    title: 'Unisolate machine',
    purpose: 'Ends the isolation of a machine.',
    effect: 'write',
    call: 'POST /api/machines/{id}/unisolate',
    permission: 'Machine.Isolate',
    timeoutSeconds: 60,
    sentence: { template: 'End the isolation of {hosts} of {organization}', otherwise: NAMED_MACHINE },
    target: ['machine_id'],
    touches: touchesMachine,
    ends: endsAsAction,
    doneWhen: whenNewestIs('Unisolate'),
    input: z.object({ machine_id: machineId, comment }),
    output: MachineAction,
  }),
  runAntivirusScan: defineSkill({
    title: 'Run antivirus scan',
    purpose: 'Starts an antivirus scan on a machine.',
    effect: 'write',
    call: 'POST /api/machines/{id}/runAntiVirusScan',
    permission: 'Machine.Scan',
    timeoutSeconds: 60,
    sentence: {
      template: 'Run a {scan_type} antivirus scan on {hosts} of {organization}',
      words: { scan_type: { Quick: 'quick', Full: 'full' } },
      otherwise: NAMED_MACHINE,
    },
    target: ['machine_id', 'scan_type'],
    touches: touchesMachine,
    ends: { ...endsAsAction, resultFrom: 'getScanResult' },
    input: z.object({ machine_id: machineId, comment, scan_type: z.enum(['Quick', 'Full']).default('Quick') }),
    output: MachineAction,
  }),
  collectInvestigationPackage: defineSkill({
    title: 'Collect investigation package',
    purpose: 'Collects a forensic package from a machine. The third party stores it.',
    effect: 'write',
    call: 'POST /api/machines/{id}/collectInvestigationPackage',
    permission: 'Machine.CollectForensics',
    timeoutSeconds: 60,
    sentence: { template: 'Collect a forensic package from {hosts} of {organization}', otherwise: NAMED_MACHINE },
    target: ['machine_id'],
    touches: touchesMachine,
    ends: { ...endsAsAction, resultFrom: 'getInvestigationPackage' },
    input: z.object({ machine_id: machineId, comment }),
    output: MachineAction,
  }),
  runLiveResponse: defineSkill({
    title: 'Run live response',
    purpose: 'Runs commands on a machine in this order: put a file, run a script, get a file.',
    effect: 'write',
    call: 'POST /API/machines/{id}/runliveresponse',
    permission: 'Machine.LiveResponse',
    timeoutSeconds: 60,
    sentence: { template: 'Run live response commands on {hosts} of {organization}', otherwise: NAMED_MACHINE },
    touches: touchesMachine,
    sensitive: [{ why: 'It runs commands on a machine.' }],
    ends: { ...endsAsAction, resultFrom: 'getLiveResponseResult' },
    input: z.object({
      machine_id: machineId,
      comment,
      commands: z.array(LiveCommand).min(1).max(10).refine(isInOrder, 'must be in this order: PutFile, RunScript, GetFile'),
    }),
    output: MachineAction,
  }),
};

import { z } from 'zod';
import { defineSkill, listOutput, maxItems } from '../../kit/define.js';
import { Alert } from './alerts.js';
import { actionId, LIST_SECONDS, MACHINE_READ, machineId, time, word } from './fields.js';
import { MachineAction } from './response.js';

export const actionResultSkills = {
  getMachineAction: defineSkill({
    title: 'Get machine action',
    purpose: 'Reads the status of an action on a machine.',
    effect: 'read',
    call: 'GET /api/machineactions/{id}',
    permission: MACHINE_READ,
    timeoutSeconds: 30,
    input: z.object({ action_id: actionId }),
    output: MachineAction,
  }),
  getInvestigationPackage: defineSkill({
    title: 'Get investigation package',
    purpose: 'Returns the link to a collected investigation package. The link is valid for a short time.',
    effect: 'read',
    call: 'GET /api/machineactions/{id}/getPackageUri',
    permission: 'Machine.CollectForensics',
    timeoutSeconds: 60,
    input: z.object({ action_id: actionId }),
    output: z.object({ action: MachineAction, link: z.string().nullable().describe('Null until the action has succeeded.') }),
  }),
  getLiveResponseResult: defineSkill({
    title: 'Get live response result',
    purpose: 'Returns the output of one command of a live response, and the link to it. The link is valid for a short time.',
    effect: 'read',
    call: 'GET /api/machineactions/{id}/GetLiveResponseResultDownloadLink(index={index})',
    permission: 'Machine.LiveResponse',
    timeoutSeconds: 60,
    input: z.object({
      action_id: actionId,
      command_index: z.int().min(0).max(9).default(0).describe('The position of the command, from 0.'),
    }),
    output: z.object({
      action: MachineAction,
      link: z.string().nullable().describe('Null until the action has succeeded.'),
      output: z.string().nullable().describe('The first 20,000 characters of the output.'),
      output_missing: z.string().nullable().describe('Why the output is missing.'),
    }),
  }),
  getScanResult: defineSkill({
    title: 'Get scan result',
    purpose: 'Returns the state of an antivirus scan and the alerts of its machine since the scan began.',
    effect: 'read',
    call: 'GET /api/machineactions/{id}',
    permission: 'Alert.ReadWrite.All',
    timeoutSeconds: LIST_SECONDS,
    input: z.object({ action_id: actionId, max_items: maxItems }),
    output: listOutput(Alert).extend({ action: MachineAction }),
  }),
  listMachineActions: defineSkill({
    title: 'List machine actions',
    purpose: 'Lists actions on machines, newest first.',
    effect: 'read',
    call: 'GET /api/machineactions',
    permission: MACHINE_READ,
    timeoutSeconds: LIST_SECONDS,
    input: z.object({
      machine_id: machineId.optional(),
      type: word.optional(),
      status: word.optional(),
      requestor: word.optional(),
      created_since: time.optional(),
      max_items: maxItems,
    }),
    output: listOutput(MachineAction),
  }),
};

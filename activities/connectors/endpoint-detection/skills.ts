import { z } from 'zod';
import { OutcomeUnknown, ThirdPartyError } from '../../../domain/connection/skill-errors.js';
import type { Implementation, SkillContext } from '../kit/implement.js';
import { MicrosoftApi, odata, readAs } from '../kit/microsoft-api.js';
import {
  Alert,
  endpointDetection,
  Indicator,
  LogonUser,
  Machine,
  MachineAction,
  MachineVulnerability,
  QueryRow,
  Recommendation,
  Vulnerability,
} from './contract.js';

type Context = SkillContext<typeof endpointDetection>;
type Action = z.output<typeof MachineAction>;

const api = new MicrosoftApi(endpointDetection.errors);
/** Alerts are large: each includes its evidence. */
const ALERTS_A_PAGE = 500;
const ITEMS_A_PAGE = 1000;
const ACTIONS_LOOKED_THROUGH = 10_000;
const QUERY_REPLY_BYTES = 64 * 1024 * 1024;

const QueryReply = z.looseObject({
  Schema: z.array(z.looseObject({ Name: z.string(), Type: z.string().catch('') })).catch([]),
  Results: z.array(QueryRow),
});
/** Older replies use another name for the time of the last update. */
const ActionReply = z.preprocess(
  (value) => (isRecord(value) ? { lastUpdateDateTimeUtc: value['lastUpdateTimeUtc'], ...value } : value),
  MachineAction,
);

export const endpointDetectionImplementation = {
  skills: {
    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-alerts
    listAlerts: (input, context) =>
      api.list(context, {
        path: '/api/alerts',
        query: { $expand: 'evidence' },
        filter: odata.all(
          odata.isOneOf('severity', input.severity),
          odata.isOneOf('status', input.status),
          odata.is('category', input.category),
          odata.is('detectionSource', input.detection_source),
          odata.isNumber('incidentId', input.incident_id),
          odata.is('assignedTo', input.assigned_to),
          odata.from('alertCreationTime', input.created_since),
          odata.until('alertCreationTime', input.created_until),
          odata.from('lastUpdateTime', input.updated_since),
          odata.until('lastUpdateTime', input.updated_until),
        ),
        item: Alert,
        pageSize: ALERTS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-alert-info-by-id
    getAlert: (input, context) => api.get(context, `/api/alerts/${encodeURIComponent(input.alert_id)}`, Alert),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machines
    listMachines: async (input, context) => {
      try {
        return await api.list(context, {
          path: '/api/machines',
          filter: odata.all(
            odata.is('computerDnsName', input.computer_dns_name),
            odata.is('lastIpAddress', input.last_ip_address),
            odata.is('healthStatus', input.health_status),
            odata.is('osPlatform', input.os_platform),
            odata.isOneOf('riskScore', input.risk_score),
            odata.isOneOf('exposureLevel', input.exposure_level),
            odata.hasElement('machineTags', input.machine_tag),
            odata.is('aadDeviceId', input.aad_device_id),
            odata.from('lastSeen', input.last_seen_since),
          ),
          item: Machine,
          pageSize: ITEMS_A_PAGE,
          maxItems: input.max_items,
        });
      } catch (error) {
        // This list replies 404 if it is empty.
        if (error instanceof ThirdPartyError && error.code === 'NotFound') return { items: [], total: 0, cut: null };
        throw error;
      }
    },

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machine-by-id
    getMachine: (input, context) => api.get(context, machinePath(input.machine_id), Machine),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machine-log-on-users
    listMachineLogonUsers: (input, context) =>
      api.list(context, {
        path: machinePath(input.machine_id, 'logonusers'),
        filter: undefined,
        item: LogonUser,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/isolate-machine
    isolateMachine: (input, context) =>
      act(context, input, machinePath(input.machine_id, 'isolate'), 'Isolate', { IsolationType: input.isolation_type }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/unisolate-machine
    unisolateMachine: (input, context) => act(context, input, machinePath(input.machine_id, 'unisolate'), 'Unisolate', {}),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/run-av-scan
    runAntivirusScan: (input, context) =>
      act(context, input, machinePath(input.machine_id, 'runAntiVirusScan'), 'RunAntiVirusScan', { ScanType: input.scan_type }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/collect-investigation-package
    collectInvestigationPackage: (input, context) =>
      act(context, input, machinePath(input.machine_id, 'collectInvestigationPackage'), 'CollectInvestigationPackage', {}),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/run-live-response
    runLiveResponse: (input, context) =>
      act(context, input, `/API/machines/${encodeURIComponent(input.machine_id)}/runliveresponse`, 'LiveResponse', {
        Commands: input.commands.map(liveCommand),
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/run-advanced-query-api
    runAdvancedQuery: async (input, context) => {
      const json = { Query: input.query };
      const request = { method: 'POST', path: '/api/advancedqueries/run', json, maxBytes: QUERY_REPLY_BYTES } as const;
      const { Schema, Results } = readAs(QueryReply, (await api.call(context, request)).json());
      const isCut = Results.length > input.max_items;
      return {
        schema: Schema.map(({ Name, Type }) => ({ name: Name, type: Type })),
        items: Results.slice(0, input.max_items),
        total: Results.length,
        cut: isCut ? `There are more than the ${input.max_items} items asked for.` : null,
      };
    },

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-ti-indicators-collection
    listIndicators: (input, context) =>
      api.list(context, {
        path: '/api/indicators',
        filter: odata.all(
          odata.is('indicatorValue', input.indicator_value),
          odata.is('indicatorType', input.indicator_type),
          odata.is('action', input.action),
          odata.is('severity', input.severity),
        ),
        item: Indicator,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/post-ti-indicator
    createIndicator: (input, context) =>
      api.post(
        context,
        '/api/indicators',
        {
          indicatorValue: input.indicator_value,
          indicatorType: input.indicator_type,
          action: input.action,
          title: input.title,
          description: input.description,
          application: input.application,
          expirationTime: input.expiration_time,
          severity: input.severity,
          recommendedActions: input.recommended_actions,
          rbacGroupNames: input.rbac_group_names,
          generateAlert: input.generate_alert,
        },
        Indicator,
      ),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-all-vulnerabilities
    listVulnerabilities: (input, context) =>
      api.list(context, {
        path: '/api/Vulnerabilities',
        filter: odata.all(
          odata.is('id', input.cve_id),
          odata.is('severity', input.severity),
          odata.from('publishedOn', input.published_since),
          odata.from('updatedOn', input.updated_since),
        ),
        item: Vulnerability,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-all-vulnerabilities-by-machines
    listMachinesVulnerabilities: (input, context) =>
      api.list(context, {
        path: '/api/vulnerabilities/machinesVulnerabilities',
        filter: odata.all(
          odata.is('machineId', input.machine_id),
          odata.is('cveId', input.cve_id),
          odata.is('severity', input.severity),
          odata.is('productName', input.product_name),
        ),
        item: MachineVulnerability,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-all-recommendations
    listRecommendations: (input, context) =>
      api.list(context, {
        path: '/api/recommendations',
        filter: odata.all(
          odata.is('productName', input.product_name),
          odata.is('vendor', input.vendor),
          odata.is('remediationType', input.remediation_type),
          odata.is('status', input.status),
        ),
        item: Recommendation,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machineaction-object
    getMachineAction: (input, context) => api.get(context, `/api/machineactions/${input.action_id}`, ActionReply),

    listMachineActions: (input, context) =>
      listActions(
        context,
        [
          odata.is('machineId', input.machine_id),
          odata.is('type', input.type),
          odata.is('status', input.status),
          odata.is('requestor', input.requestor),
          odata.from('creationDateTimeUtc', input.created_since),
        ],
        input.max_items,
      ),
  },

  lookups: {
    isolateMachine: (input, context) => findAction(context, input.machine_id, 'Isolate'),
    unisolateMachine: (input, context) => findAction(context, input.machine_id, 'Unisolate'),
    runAntivirusScan: (input, context) => findAction(context, input.machine_id, 'RunAntiVirusScan'),
    collectInvestigationPackage: (input, context) => findAction(context, input.machine_id, 'CollectInvestigationPackage'),
    runLiveResponse: (input, context) => findAction(context, input.machine_id, 'LiveResponse'),
    // Creating it again updates the same indicator, so the outcome of the first call does not matter.
    createIndicator: async () => null,
  },

  test: (context) => api.test(context, { path: '/api/alerts', skills: endpointDetection.skills }),
} satisfies Implementation<typeof endpointDetection>;

function machinePath(machineId: string, part?: string): string {
  return `/api/machines/${encodeURIComponent(machineId)}${part === undefined ? '' : `/${part}`}`;
}

/** Starts an action with the operation key in its comment: the only field that identifies it later. */
async function act(
  context: Context,
  input: { readonly machine_id: string; readonly comment: string },
  path: string,
  type: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Action> {
  const comment = `${input.comment} [alert-investigator ${context.operationKey}]`;
  try {
    return await api.post(context, path, { Comment: comment, ...body }, ActionReply);
  } catch (error) {
    if (!(error instanceof ThirdPartyError) || error.code !== 'Conflict') throw error;
    // The id of the pending action is extra information: the conflict is reported without it too.
    const pending = await findPending(context, input.machine_id, type).catch(() => null);
    if (pending === null) throw error;
    if (isOurs(pending, context)) return pending;
    const facts = {
      ...(error.status === undefined ? {} : { status: error.status }),
      resolution: `Wait until action ${pending.id} has ended.`,
    };
    throw new ThirdPartyError('Conflict', `${type} is already ${pending.status} on this machine: action ${pending.id}`, facts);
  }
}

async function findPending(context: Context, machineId: string, type: string): Promise<Action | null> {
  const { items } = await listActionsOfType(context, machineId, type);
  return items.find(({ status }) => status === 'Pending' || status === 'InProgress') ?? null;
}

async function findAction(context: Context, machineId: string, type: string): Promise<Action | null> {
  const { items, cut } = await listActionsOfType(context, machineId, type);
  const own = items.find((action) => isOurs(action, context));
  if (own === undefined && cut !== null) throw new OutcomeUnknown(`The list of ${type} actions of this machine is incomplete.`);
  return own ?? null;
}

function isOurs(action: Action, context: Context): boolean {
  return action.requestorComment?.includes(`[alert-investigator ${context.operationKey}]`) ?? false;
}

/** Actions contain only the id of the machine, never its name. */
async function listActionsOfType(context: Context, machineId: string, type: string) {
  const id = /^[0-9a-f]{40}$/i.test(machineId) ? machineId : (await api.get(context, machinePath(machineId), Machine)).id;
  return listActions(context, [odata.is('machineId', id), odata.is('type', type)], ACTIONS_LOOKED_THROUGH);
}

// https://learn.microsoft.com/en-us/defender-endpoint/api/get-machineactions-collection
async function listActions(context: Context, clauses: readonly (string | undefined)[], maxItems: number) {
  const list = await api.list(context, {
    path: '/api/machineactions',
    filter: odata.all(...clauses),
    item: ActionReply,
    pageSize: ITEMS_A_PAGE,
    maxItems,
  });
  return { ...list, items: list.items.toSorted((a, b) => (b.creationDateTimeUtc ?? '').localeCompare(a.creationDateTimeUtc ?? '')) };
}

type LiveCommand = z.output<typeof endpointDetection.skills.runLiveResponse.input>['commands'][number];

function liveCommand(command: LiveCommand) {
  const { type } = command;
  if (type === 'PutFile') return { type, params: [{ key: 'FileName', value: command.file_name }] };
  if (type === 'GetFile') return { type, params: [{ key: 'Path', value: command.path }] };
  const script = { key: 'ScriptName', value: command.script_name };
  return { type, params: command.args === undefined ? [script] : [script, { key: 'Args', value: command.args }] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

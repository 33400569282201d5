import { z } from 'zod';
import { OutcomeUnknown, SkillError, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { clip } from '../../domain/text.js';
import type { Implementation, SkillContext } from '../kit/implement.js';
import { MicrosoftApi, odata, readAs } from '../kit/microsoft-api.js';
import type { Collected } from '../kit/paging.js';
import { Alert } from './contract/alerts.js';
import { QueryRow } from './contract/hunting.js';
import { Indicator } from './contract/indicators.js';
import { LogonUser, Machine } from './contract/machines.js';
import { MachineAction } from './contract/response.js';
import { MachineVulnerability, Recommendation, Vulnerability } from './contract/vulnerabilities.js';
import { endpointDetection } from './contract.js';
import { alertCopy, machineCopy, recommendationCopy } from './copies.js';
import { groupHunting } from './hunting-groups.js';

type Context = SkillContext<typeof endpointDetection>;
type Action = z.output<typeof MachineAction>;

const api = new MicrosoftApi(endpointDetection.errors, { path: '/api/alerts', permission: endpointDetection.skills.listAlerts.permission });
/** Alerts are large: each includes its evidence. */
const ALERTS_A_PAGE = 500;
const ITEMS_A_PAGE = 1000;
const MAX_ACTIONS = 10_000;
const RESULT_BYTES = 1024 * 1024;
const MAX_OUTPUT = 20_000;
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
  copies: [alertCopy, machineCopy, recommendationCopy],
  groups: { runAdvancedQuery: groupHunting(runAdvancedQuery) },
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
    getAlert: (input, context) => api.getRecord(context, `/api/alerts/${encodeURIComponent(input.alert_id)}`, Alert),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machines
    listMachines: (input, context) =>
      listMachines(context, {
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
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machine-by-id
    getMachine: (input, context) => api.getRecord(context, machinePath(input.machine_id), Machine),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-machine-log-on-users
    listMachineLogonUsers: (input, context) =>
      api.list(context, {
        path: machinePath(input.machine_id, 'logonusers'),
        isOfRecord: true,
        filter: undefined,
        item: LogonUser,
        pageSize: ITEMS_A_PAGE,
        maxItems: input.max_items,
      }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/isolate-machine
    isolateMachine: (input, context) => act(context, input, 'isolate', 'Isolate', { IsolationType: input.isolation_type }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/unisolate-machine
    unisolateMachine: (input, context) => act(context, input, 'unisolate', 'Unisolate', {}),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/run-av-scan
    runAntivirusScan: (input, context) => act(context, input, 'runAntiVirusScan', 'RunAntiVirusScan', { ScanType: input.scan_type }),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/collect-investigation-package
    collectInvestigationPackage: (input, context) => act(context, input, 'collectInvestigationPackage', 'CollectInvestigationPackage', {}),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/run-live-response
    runLiveResponse: (input, context) =>
      act(context, input, 'runliveresponse', 'LiveResponse', {
        Commands: input.commands.map(liveCommand),
      }),

    runAdvancedQuery,

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
        {
          path: '/api/indicators',
          json: {
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
    listMachinesVulnerabilities: async (input, context) =>
      api.list(context, {
        path: '/api/vulnerabilities/machinesVulnerabilities',
        filter: odata.all(
          odata.is('machineId', await resolveOptionalId(context, input.machine_id)),
          odata.is('cveId', input.cve_id),
          odata.isOneOf('cveId', input.cve_ids),
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
    getMachineAction: (input, context) => api.getRecord(context, `/api/machineactions/${input.action_id}`, ActionReply),

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-package-sas-uri
    getInvestigationPackage: async ({ action_id }, context) => {
      const action = await readAction(context, action_id);
      const link = action.status === 'Succeeded' ? await readLink(context, `/api/machineactions/${action_id}/getPackageUri`) : null;
      return { action, link };
    },

    // https://learn.microsoft.com/en-us/defender-endpoint/api/get-live-response-result
    getLiveResponseResult: async ({ action_id, command_index }, context) => {
      const action = await readAction(context, action_id);
      if (action.status !== 'Succeeded') return { action, link: null, output: null, output_missing: describeStatus(action) };
      const path = `/api/machineactions/${action_id}/GetLiveResponseResultDownloadLink(index=${command_index})`;
      const link = await readLink(context, path);
      return { action, link, ...(await downloadOutput(context, link)) };
    },

    getScanResult: async ({ action_id, max_items }, context) => {
      const action = await readAction(context, action_id);
      const since = action.creationDateTimeUtc ?? undefined;
      const alerts = await api.list(context, {
        path: '/api/alerts',
        query: { $expand: 'evidence' },
        filter: odata.from('alertCreationTime', since),
        item: Alert,
        pageSize: ALERTS_A_PAGE,
        maxItems: max_items,
      });
      return { ...alerts, items: alerts.items.filter(({ machineId }) => machineId === action.machineId), total: null, action };
    },

    listMachineActions: async (input, context) =>
      listActions(
        context,
        [
          odata.is('machineId', await resolveOptionalId(context, input.machine_id)),
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

  test: (context) => api.test(context, endpointDetection.skills),
} satisfies Implementation<typeof endpointDetection>;

function machinePath(machineId: string, part?: string): string {
  return `/api/machines/${encodeURIComponent(machineId)}${part === undefined ? '' : `/${part}`}`;
}

/** Starts an action with the operation key in its comment: the only field that identifies it later. */
async function act(
  context: Context,
  input: { readonly machine_id: string; readonly comment: string },
  part: string,
  type: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Action> {
  const machineId = await resolveMachineId(context, input.machine_id);
  // The documentation writes this one path in capitals.
  const path = part === 'runliveresponse' ? `/API/machines/${machineId}/${part}` : machinePath(machineId, part);
  const comment = `${input.comment} [alert-investigator ${context.operationKey}]`;
  try {
    return await api.post(context, { path, json: { Comment: comment, ...body }, isOfRecord: true }, ActionReply);
  } catch (error) {
    if (!(error instanceof ThirdPartyError) || error.code !== 'Conflict') throw error;
    // The id of the pending action is extra information: the conflict is reported without it too.
    const pending = await findPending(context, machineId, type).catch(() => null);
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

const MACHINE_ID = /^[0-9a-f]{40}$/i;
const NAMESAKES_SHOWN = 5;
const NAMES_SEARCHED = 1000;

/** An action on a name could reach another machine with the same name. Only an unambiguous name becomes an id. */
async function resolveMachineId(context: Context, idOrName: string): Promise<string> {
  if (MACHINE_ID.test(idOrName)) return idOrName;
  try {
    const { items: namesakes, cut } = await listNamesakes(context, idOrName.toLowerCase());
    const [machine, ...others] = namesakes;
    if (others.length === 0 && cut !== null)
      throw new ThirdPartyError('BadRequest', `Too many names begin with ${idOrName} to find all machines with this name. ${cut}`, {
        resolution: 'Enter the id of the machine.',
      });
    // The platform may know the machine by another form of its name.
    if (!machine) return (await api.getRecord(context, machinePath(idOrName), Machine)).id;
    if (others.length === 0) return machine.id;
    const shown = namesakes.slice(0, NAMESAKES_SHOWN).map(({ id, computerDnsName, lastSeen }) => `${id} (${computerDnsName}, ${lastSeen})`);
    throw new ThirdPartyError('BadRequest', `${namesakes.length} machines have the name ${idOrName}: ${shown.join(', ')}.`, {
      resolution: 'Enter the id of the machine.',
    });
  } catch (error) {
    // The action itself was not sent yet.
    throw error instanceof ThirdPartyError ? error.asUnsent() : error;
  }
}

/** The rows of these lists contain only the id of the machine, never its name. */
async function resolveOptionalId(context: Context, idOrName: string | undefined): Promise<string | undefined> {
  return idOrName === undefined ? undefined : resolveMachineId(context, idOrName);
}

async function listNamesakes(context: Context, name: string): Promise<Collected<z.output<typeof Machine>>> {
  const { items, ...list } = await listMachines(context, {
    filter: odata.startsWith('computerDnsName', name),
    maxItems: NAMES_SEARCHED,
  });
  const isNamesake = (other: string | null) => other?.toLowerCase() === name || other?.toLowerCase().startsWith(`${name}.`);
  return { ...list, items: items.filter(({ computerDnsName }) => isNamesake(computerDnsName)) };
}

/** The third party replies 404 if this list is empty. */
async function listMachines(context: Context, { filter, maxItems }: { filter: string | undefined; maxItems: number }) {
  try {
    return await api.list(context, {
      path: '/api/machines',
      isOfRecord: true,
      filter,
      item: Machine,
      pageSize: ITEMS_A_PAGE,
      maxItems,
    });
  } catch (error) {
    if (error instanceof ThirdPartyError && error.code === 'NotFound') return { items: [], total: 0, cut: null };
    throw error;
  }
}

/** Actions contain only the id of the machine, never its name. */
async function listActionsOfType(context: Context, machineId: string, type: string) {
  const id = await resolveMachineId(context, machineId);
  return listActions(context, [odata.is('machineId', id), odata.is('type', type)], MAX_ACTIONS);
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

async function readAction(context: Context, actionId: string): Promise<Action> {
  return api.getRecord(context, `/api/machineactions/${actionId}`, ActionReply);
}

function describeStatus({ type, status }: Action): string {
  return `The action ${type ?? ''} is ${status ?? 'unknown'}.`;
}

const LinkReply = z.looseObject({ value: z.string() });

/** Some replies have the link in quotes. */
async function readLink(context: Context, path: string): Promise<string> {
  const { value } = await api.getRecord(context, path, LinkReply);
  return value.replace(/^"|"$/g, '');
}

/** The link has its own signature and leads to the storage of the third party: no token goes there. */
async function downloadOutput({ http }: Context, link: string): Promise<{ output: string | null; output_missing: string | null }> {
  try {
    const reply = await http.request({ method: 'GET', url: link, maxBytes: RESULT_BYTES, headers: { accept: '*/*' } });
    if (reply.status === 200) return { output: clip(reply.text, MAX_OUTPUT), output_missing: null };
    return { output: null, output_missing: `The storage of the third party replied with HTTP ${reply.status}. Download it with the link.` };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { output: null, output_missing: `${error.message} Download it with the link.` };
  }
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

// https://learn.microsoft.com/en-us/defender-endpoint/api/run-advanced-query-api
async function runAdvancedQuery(input: z.output<typeof endpointDetection.skills.runAdvancedQuery.input>, context: Context) {
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
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ConnectorContract } from '../../connectors/kit/define.js';
import { Egress } from '../../connectors/kit/egress.js';
import { hideInReplies } from '../../connectors/kit/hide-secrets.js';
import { HttpClient } from '../../connectors/kit/http.js';
import type { Implementation, SkillContext } from '../../connectors/kit/implement.js';
import type { StandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { afterEveryFile } from './cleanups.js';

type Reachable = Pick<StandIn<unknown>, 'caPem'>;

interface Given<Contract extends ConnectorContract>
  extends Partial<Pick<SkillContext, 'signal' | 'operationKey' | 'keepCredential' | 'readStoredEvents' | 'uuidOf'>> {
  readonly settings: z.input<Contract['settings']>;
  readonly credentials: z.input<Contract['credentials']>;
  readonly connectionId?: string;
  readonly generation?: number;
  readonly requestsPerMinute?: number;
}

const httpClients: HttpClient[] = [];
afterEveryFile.push(() => Promise.all(httpClients.splice(0).map((httpClient) => httpClient.close())));

/** Creates the context of a skill: its own connection to stand-ins with this authority, through the real egress check. */
export function contextFor<const Contract extends ConnectorContract>(
  contract: Contract,
  standIn: Reachable,
  given: Given<Contract>,
): SkillContext<Contract> {
  const httpClient = new HttpClient(egressTo(standIn));
  httpClients.push(httpClient);
  const connectionId = given.connectionId ?? randomUUID();
  const signal = given.signal ?? new AbortController().signal;
  const uuids = new Map<string, string>();
  const requestsPerMinute = given.requestsPerMinute ?? contract.requestsPerMinute;
  return {
    connection: {
      id: connectionId,
      generation: given.generation ?? 1,
      settings: parse<Contract['settings']>(contract.settings, given.settings),
      credentials: parse<Contract['credentials']>(contract.credentials, given.credentials),
    },
    http: hideInReplies(
      httpClient.forConnection({ connectionId, organization: null, requestsPerMinute, signal }),
      contract.credentials,
      given.credentials,
    ),
    signal,
    operationKey: given.operationKey ?? randomUUID(),
    keepCredential: given.keepCredential ?? (async () => {}),
    readStoredEvents: given.readStoredEvents ?? (() => null),
    uuidOf:
      given.uuidOf ??
      (async (value) => {
        const known = uuids.get(value) ?? randomUUID();
        uuids.set(value, known);
        return known;
      }),
  };
}

/** Loading the public authorities takes longer than most calls, and the egress check has no state: one for each authority. */
const egresses = new Map<string, Egress>();
afterEveryFile.push(() => egresses.clear());

function egressTo({ caPem }: Reachable): Egress {
  const egress = egresses.get(caPem) ?? new Egress({ allow: ['127.0.0.0/8', '::1/128'], ca: caPem });
  egresses.set(caPem, egress);
  return egress;
}

/** Performs a skill as the wrapper does: the contract parses input and output, and the output survives JSON. */
export async function perform<const Contract extends ConnectorContract, const Verb extends keyof Contract['skills']>(
  contract: Contract,
  implementation: Implementation<Contract>,
  verb: Verb,
  input: z.input<Contract['skills'][Verb]['input']>,
  context: SkillContext<Contract>,
): Promise<z.output<Contract['skills'][Verb]['output']>> {
  const skills: Contract['skills'] = contract.skills;
  const skill = skills[verb];
  if (skill === undefined) throw new Error(`${contract.kind} has no skill ${String(verb)}`);
  const given = parse<Contract['skills'][Verb]['input']>(skill.input, input);
  const output = parse<Contract['skills'][Verb]['output']>(skill.output, await implementation.skills[verb](given, context));
  expect(JSON.parse(JSON.stringify(output))).toStrictEqual(output);
  return output;
}

/** Returns the error of a skill call. The test fails if the call succeeds. */
export async function refused(work: Promise<unknown>): Promise<ThirdPartyError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ThirdPartyError)) throw new Error(`expected a third party's error, not ${String(error)}`);
  return error;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return schema.parse(value);
}

import type { AffectedAssets } from '../connection/affected-assets.js';
import { valuesAt } from '../playbook/conditions.js';
import { readSingleHost } from './host-target.js';

/**
 * The source of an input field: a fixed value, a path in the input or output of a write, the host that the input names in its one
 * spelling, or the time of its proposal (ISO 8601).
 */
type FieldSource =
  | { readonly take: 'proposedAt' }
  | { readonly take: 'value'; readonly value: string | number }
  | { readonly take: 'input'; readonly path: string }
  | { readonly take: 'host'; readonly path: string }
  | { readonly take: 'output'; readonly path: string };
export type FieldSources = Readonly<Record<string, FieldSource>>;

/** A read of the same connector that lists the affected assets of a write; the paths refer to its answer. */
export interface AffectedBy {
  readonly verb: string;
  readonly input: FieldSources;
  readonly hosts?: string;
  readonly users?: string;
  readonly tags?: string;
  /** Only writes with such an input need the read. */
  readonly when?: InputCondition;
  /** Only writes whose input names one host by its name or its address need the read. */
  readonly whenHost?: { readonly path: string; readonly is: 'name' | 'address'; readonly when: readonly InputCondition[] };
  /** A host is a server unless the value at the path is one of these. */
  readonly servers?: { readonly path: string; readonly unlessOneOf: readonly string[] };
  /** The write may affect no host. Otherwise a missing host means that the affected assets are unknown. */
  readonly mayBeNone?: true;
}

export interface InputCondition {
  readonly path: string;
  readonly isOneOf: readonly string[];
}

/** An input field that names affected hosts: by a name, an address, a URL or a domain. */
export interface NamedHost {
  readonly path: string;
  readonly when: readonly InputCondition[];
}

/** A read of the same connector that reports the progress of an action. Any other value means that it still runs. */
export interface ActionEnd {
  readonly verb: string;
  readonly input: FieldSources;
  readonly path: string;
  readonly success: readonly string[];
  readonly failure: readonly string[];
  /** The longest interval between two reads; the first reads follow sooner. */
  readonly everySeconds: number;
  readonly atMostSeconds: number;
  /** The read that returns the result of a successful action. */
  readonly resultFrom?: string;
}

/** A read of the same connector that shows whether a write was done at the third party itself: there is a value at the path. */
export interface DoneWhen {
  readonly verb: string;
  readonly input: FieldSources;
  readonly path: string;
  /** The first value that is one of `among` must be `is`. */
  readonly first?: { readonly among: readonly string[]; readonly is: string };
}

/** Whether the answer of the read shows that the write is done. */
export function showsDone({ path, first }: DoneWhen, output: unknown): boolean {
  const values = valuesAt(output, path);
  return first === undefined ? values.length > 0 : values.find((value) => first.among.includes(String(value))) === first.is;
}

/** The write of the same connector that undoes another. */
export interface UndoneBy {
  readonly verb: string;
  readonly input: FieldSources;
}

/** `proposedAt`: epoch seconds. */
export function fillInput(
  sources: FieldSources,
  write: { input: unknown; output?: unknown; proposedAt?: number },
): Record<string, unknown> {
  const read = (source: FieldSource): unknown => {
    if (source.take === 'value') return source.value;
    if (source.take === 'proposedAt') return new Date((write.proposedAt ?? 0) * 1000).toISOString();
    if (source.take === 'host') return readHost(String(valuesAt(write.input, source.path)[0] ?? ''));
    return valuesAt(write[source.take], source.path)[0];
  };
  return Object.fromEntries(Object.entries(sources).map(([field, source]) => [field, read(source)]));
}

/** The reads that a write with this input needs. */
export function selectReads(reads: readonly AffectedBy[] | undefined, input: unknown): readonly AffectedBy[] {
  return (reads ?? []).filter(
    ({ when, whenHost }) => (when === undefined || applies(when, input)) && (whenHost === undefined || namesHost(whenHost, input)),
  );
}

function namesHost({ path, is, when }: NonNullable<AffectedBy['whenHost']>, input: unknown): boolean {
  return (
    when.every((condition) => applies(condition, input)) &&
    valuesAt(input, path).some((value) => readSingleHost(String(value))?.kind === is)
  );
}

export function applies({ path, isOneOf }: InputCondition, input: unknown): boolean {
  return valuesAt(input, path).some((value) => isOneOf.includes(String(value)));
}

export interface AffectedAnswer {
  readonly read: AffectedBy;
  readonly output: unknown;
  readonly isComplete: boolean;
}

/**
 * The affected assets of a write, from its input and from the answers of the declared reads. null where the contract declares none,
 * an answer is truncated, or a required host is missing.
 */
export function readAffectedAssets(
  contract: { readonly touches?: readonly AffectedBy[]; readonly namesHosts?: readonly NamedHost[] },
  input: unknown,
  answers: readonly AffectedAnswer[],
): AffectedAssets | null {
  if (contract.touches === undefined || answers.some(({ isComplete }) => !isComplete)) return null;
  const affected: AffectedAssets = { hosts: listNamed(contract.namesHosts, input).map(readHost), users: [], tags: [] };
  const servers = answers.some(({ read }) => read.servers !== undefined) ? new Set<string>() : undefined;
  for (const { read, output } of answers) {
    const { hosts, users, tags, mayBeNone } = read;
    const at = (path: string | undefined) => (path === undefined ? [] : valuesAt(output, path).map(String));
    if (hosts !== undefined && at(hosts).length === 0 && mayBeNone !== true) return null;
    affected.hosts.push(...at(hosts));
    if (read.servers !== undefined && !isWorkstation(read.servers, output)) for (const host of at(hosts)) servers?.add(host);
    affected.users.push(...at(users));
    affected.tags.push(...at(tags));
  }
  return {
    hosts: distinct(affected.hosts),
    users: distinct(affected.users),
    tags: distinct(affected.tags),
    ...(servers === undefined ? {} : { servers: [...servers] }),
  };
}

/** A host of an unknown kind counts as a server. */
function isWorkstation({ path, unlessOneOf }: NonNullable<AffectedBy['servers']>, output: unknown): boolean {
  const kinds = valuesAt(output, path);
  return kinds.length > 0 && kinds.every((kind) => unlessOneOf.includes(String(kind)));
}

/** The values of the input that name what a write affects, as they were given. */
export interface NamedTargets {
  readonly hosts: readonly string[];
  /** Such as the hash of a file, which any host can have. */
  readonly onAnyHost: readonly string[];
}

/** From the input alone, so that neither a workflow nor a third party can leave a target out. */
export function listTargets(
  { namesHosts, namesOnAnyHost }: { readonly namesHosts?: readonly NamedHost[]; readonly namesOnAnyHost?: readonly NamedHost[] },
  input: unknown,
): NamedTargets {
  return { hosts: listNamed(namesHosts, input), onAnyHost: listNamed(namesOnAnyHost, input) };
}

function listNamed(named: readonly NamedHost[] | undefined, input: unknown): string[] {
  const fitting = (named ?? []).filter(({ when }) => when.every((condition) => applies(condition, input)));
  return fitting.flatMap(({ path }) => valuesAt(input, path).map(String));
}

/** `files.harbour.example` for `https://files.harbour.example/share`. */
function readHost(value: string): string {
  return readSingleHost(value)?.value ?? value;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

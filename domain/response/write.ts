import { valuesAt } from '../playbook/conditions.js';
import type { AffectedAssets } from './affected-assets.js';

/** The source of an input field: a fixed value, or a path in the input or output of a write. */
type FieldSource =
  | { readonly take: 'value'; readonly value: string | number }
  | { readonly take: 'input'; readonly path: string }
  | { readonly take: 'output'; readonly path: string };
export type FieldSources = Readonly<Record<string, FieldSource>>;

/** A read of the same connector that lists the affected assets of a write; the paths refer to its answer. */
export interface AffectedBy {
  readonly verb: string;
  readonly input: FieldSources;
  readonly hosts?: string;
  readonly users?: string;
  readonly tags?: string;
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

/** The write of the same connector that undoes another. */
export interface UndoneBy {
  readonly verb: string;
  readonly input: FieldSources;
}

export function fillInput(sources: FieldSources, write: { input: unknown; output?: unknown }): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sources).map(([field, source]) => [
      field,
      source.take === 'value' ? source.value : valuesAt(write[source.take], source.path)[0],
    ]),
  );
}

/**
 * The affected assets of a write, from the answers of the declared reads. null where the contract declares none, an answer is
 * truncated, or a required host is missing.
 */
export function readAffectedAssets(
  reads: readonly AffectedBy[] | undefined,
  answers: readonly { readonly output: unknown; readonly isWhole: boolean }[],
): AffectedAssets | null {
  if (reads === undefined || answers.some(({ isWhole }) => !isWhole)) return null;
  const affected: AffectedAssets = { hosts: [], users: [], tags: [] };
  for (const [index, { hosts, users, tags }] of reads.entries()) {
    const at = (path: string | undefined) => (path === undefined ? [] : valuesAt(answers[index]?.output, path).map(String));
    if (hosts !== undefined && at(hosts).length === 0) return null;
    affected.hosts.push(...at(hosts));
    affected.users.push(...at(users));
    affected.tags.push(...at(tags));
  }
  return { hosts: distinct(affected.hosts), users: distinct(affected.users), tags: distinct(affected.tags) };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

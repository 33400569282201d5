import { valuesAt } from '../playbook/conditions.js';
import type { AffectedAssets } from './affected-assets.js';

/** Where a field of one skill's input comes from: a fixed value, or what a write was asked and answered. */
type FieldSource =
  | { readonly take: 'value'; readonly value: string | number }
  | { readonly take: 'input'; readonly path: string }
  | { readonly take: 'output'; readonly path: string };
export type FieldSources = Readonly<Record<string, FieldSource>>;

/** A read of the same connector that tells what a write touches; paths are of its answer. */
export interface AffectedBy {
  readonly verb: string;
  readonly input: FieldSources;
  readonly hosts?: string;
  readonly users?: string;
  readonly tags?: string;
}

/** A read of the same connector that tells how far an action is. Anything but these values means that it is under way. */
export interface ActionEnd {
  readonly verb: string;
  readonly input: FieldSources;
  readonly path: string;
  readonly success: readonly string[];
  readonly failure: readonly string[];
  /** Looked at soon at first, then ever less often, down to this. */
  readonly everySeconds: number;
  readonly atMostSeconds: number;
}

/** The write of the same connector that takes another back. */
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
 * What a write touches, from the answers of the reads that tell. null: it cannot be told, because nobody declared it, an
 * answer is not whole, or it names no host where there has to be one.
 */
export function readAffectedAssets(
  touches: readonly AffectedBy[] | undefined,
  answers: readonly { readonly output: unknown; readonly isWhole: boolean }[],
): AffectedAssets | null {
  if (touches === undefined || answers.some(({ isWhole }) => !isWhole)) return null;
  const touched: AffectedAssets = { hosts: [], users: [], tags: [] };
  for (const [index, { hosts, users, tags }] of touches.entries()) {
    const at = (path: string | undefined) => (path === undefined ? [] : valuesAt(answers[index]?.output, path).map(String));
    if (hosts !== undefined && at(hosts).length === 0) return null;
    touched.hosts.push(...at(hosts));
    touched.users.push(...at(users));
    touched.tags.push(...at(tags));
  }
  return { hosts: distinct(touched.hosts), users: distinct(touched.users), tags: distinct(touched.tags) };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

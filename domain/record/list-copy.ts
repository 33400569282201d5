/** The part of a list that a copy holds, in epoch seconds; null: without a limit. */
export interface CopyPeriod {
  readonly from: number | null;
  readonly until: number | null;
}

/** An item of the list, with the keys under which questions find it. */
export interface CopiedItem {
  readonly itemId: string;
  /** Epoch seconds; null: the item has no time. */
  readonly at: number | null;
  readonly keys: readonly string[];
  /** As the skill returned it. */
  readonly item: unknown;
}

/** What the input of a skill asks of a copy. */
export interface CopyQuestion extends CopyPeriod {
  /** Items without any of these keys cannot belong to the answer. */
  readonly keys: readonly string[];
  /** Builds the output of the skill from the items with a key. null: only the third party knows. Another list may have to answer first. */
  answer(items: readonly unknown[]): unknown;
}

/** A question for another list of the same connector. Its answer is the answer of the first one. */
export class NextQuestion {
  constructor(
    readonly kind: string,
    readonly question: CopyQuestion,
  ) {}
}

/**
 * A list of a third party whose copy answers questions about single items. A copy answers only while it is complete and fresh, because
 * a missing item would look like a fact.
 */
export interface ListCopy {
  /** Unique in the connector. */
  readonly kind: string;
  /** The skill that lists the items. */
  readonly verb: string;
  /** A copy of this age answers a question. */
  readonly freshSeconds: number;
  /** The items that one request returns. */
  readonly pageItems: number;
  /** Items never change, the newest come first, and the list has a total: a refresh then reads one page and compares the total. */
  readonly isAppendOnly?: boolean;
  /** The periods to copy, the widest first. A list with too many items in one is copied for the next. */
  listPeriods(nowSeconds: number): readonly CopyPeriod[];
  /** The input of the list skill, without `max_items`. */
  buildInput(period: CopyPeriod): Readonly<Record<string, unknown>>;
  /** null: the item has an unknown form, so the list cannot be copied. */
  read(item: unknown): Omit<CopiedItem, 'item'> | null;
  /** The questions by verb. null: this input needs the third party. */
  readonly questions: Readonly<Record<string, (input: Readonly<Record<string, unknown>>, nowSeconds: number) => CopyQuestion | null>>;
}

/** A period without limits. */
export const WHOLE_LIST: CopyPeriod = { from: null, until: null };

/** Whether the copy of one period holds all that is needed of another. */
export function containsPeriod(copied: CopyPeriod, needed: CopyPeriod): boolean {
  const reachesBack = copied.from === null || (needed.from !== null && copied.from <= needed.from);
  const reachesOn = copied.until === null || (needed.until !== null && copied.until >= needed.until);
  return reachesBack && reachesOn;
}

/** Longer ids and keys do not fit into an index. */
const MAX_KEY_LENGTH = 500;

/** The output of a list skill. */
export interface ListedItems {
  readonly items: readonly unknown[];
  readonly total: number | null;
  /** null: the list is complete. */
  readonly cut: string | null;
}

/**
 * The items of a list, by id. null: the list proves nothing, because it repeats an item (its pages shifted), its total differs from
 * its items, or one of them has an unknown form.
 */
export function readWholeList(source: Pick<ListCopy, 'read'>, { items, total }: ListedItems): CopiedItem[] | null {
  const read = items.map((item) => ({ item, found: source.read(item) }));
  const copied = read.flatMap(({ item, found }) => (found === null ? [] : [{ ...found, item }]));
  const isStorable = copied.every(({ itemId, keys }) => [itemId, ...keys].every((text) => text.length <= MAX_KEY_LENGTH));
  const isWhole = isStorable && copied.length === items.length && new Set(copied.map(({ itemId }) => itemId)).size === items.length;
  return isWhole && (total === null || total === items.length) ? copied : null;
}

/** The same list, limited as the skill limits it. */
export function limitAnswer<Item>(items: readonly Item[], maxItems: number): { items: Item[]; total: number; cut: string | null } {
  const cut = items.length > maxItems ? `There are more than the ${maxItems} items asked for.` : null;
  return { items: items.slice(0, maxItems), total: items.length, cut };
}

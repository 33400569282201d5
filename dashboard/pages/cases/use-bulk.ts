import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseChange, CaseChangeResult } from '../../../services/cases/wire.js';
import { api, unwrap } from '../../api.js';

/** The page sends the changes in parts, so that it can show the progress. */
const PART_SIZE = 20;

export interface BulkRun {
  readonly title: string;
  readonly total: number;
  readonly results: readonly CaseChangeResult[];
  readonly isRunning: boolean;
  /** The request failed; the results are those from before. */
  readonly error: Error | null;
}

/** Runs an action on many cases and keeps its results until the next action. */
export function useBulk() {
  const [run, setRun] = useState<BulkRun | null>(null);
  const queryClient = useQueryClient();
  const start = async (title: string, changes: readonly CaseChange[]) => {
    const results: CaseChangeResult[] = [];
    const show = (state: Pick<BulkRun, 'isRunning' | 'error'>) => setRun({ title, total: changes.length, results: [...results], ...state });
    show({ isRunning: true, error: null });
    try {
      for (let from = 0; from < changes.length; from += PART_SIZE) {
        const part = changes.slice(from, from + PART_SIZE);
        results.push(...(await unwrap(api.POST('/cases/bulk', { body: { changes: part } }))).results);
        show({ isRunning: from + PART_SIZE < changes.length, error: null });
      }
    } catch (error) {
      show({ isRunning: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
    await queryClient.invalidateQueries({ queryKey: ['cases'] });
  };
  return { run, start, dismiss: () => setRun(null) };
}

/** The changes that restore the cases of a run. */
export function toUndo(results: readonly CaseChangeResult[]): CaseChange[] {
  return results.flatMap(({ case_id, undo, unmerge }): CaseChange[] => {
    if (unmerge !== null) return [{ case_id, unmerge }];
    return undo === null ? [] : [{ case_id, update: undo }];
  });
}

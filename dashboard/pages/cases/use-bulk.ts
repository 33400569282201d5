import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseChange, CaseChangeResult } from '../../../services/cases/wire.js';
import { changeCases } from '../../queries/cases.js';

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
  const { mutate } = useMutation({
    ...changeCases((results) => setRun((now) => now && { ...now, results: [...now.results, ...results] })),
    onError: (error) => setRun((now) => now && { ...now, error }),
    onSettled: () => setRun((now) => now && { ...now, isRunning: false }),
  });
  const start = (title: string, changes: readonly CaseChange[]) => {
    setRun({ title, total: changes.length, results: [], isRunning: true, error: null });
    mutate(changes);
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

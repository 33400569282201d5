import { readdirSync, readFileSync } from 'node:fs';

/** A process as last seen, in clock ticks. `waited` are those of ended descendants that their parents waited for. */
interface Seen {
  readonly parent: string | undefined;
  readonly own: number;
  readonly waited: number;
}

const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY_MS = 2_000;

/** Measures the CPU time of this process and all its descendants. The sum of the kernel lacks those that were killed with their parent. */
export function measureCpuSeconds(): { read(): number | null } {
  const tree = new Map<string, Seen>();
  let root: string | undefined;

  const sample = () => {
    const running = readProcesses();
    const ids = new Map(running.map(({ pid, id }) => [pid, id]));
    root ??= ids.get(process.pid);
    // Parents are older than their children, so one pass adds whole branches.
    for (const { id, parentPid, own, waited } of running) {
      const parent = tree.get(id)?.parent ?? ids.get(parentPid);
      if (id === root || (parent !== undefined && tree.has(parent))) tree.set(id, { parent, own, waited });
    }
  };
  sample();
  setInterval(sample, SAMPLE_EVERY_MS).unref();

  const ticks = (id: string): number => {
    const { own = 0, waited = 0 } = tree.get(id) ?? {};
    const children = [...tree].filter(([, { parent }]) => parent === id);
    // A killed process has not waited for its children, and the last sample of each child misses its end.
    return (
      own +
      Math.max(
        waited,
        children.reduce((sum, [child]) => sum + ticks(child), 0),
      )
    );
  };
  return {
    read: () => {
      sample();
      return root === undefined ? null : ticks(root) / TICKS_PER_SECOND;
    },
  };
}

/** Oldest first. Empty on a system without /proc. */
function readProcesses(): { pid: number; parentPid: number; id: string; startedAt: number; own: number; waited: number }[] {
  let pids: number[];
  try {
    pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
  const found = pids.flatMap((pid) => {
    try {
      // The name in brackets can hold spaces. The fields after it begin with the state.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
      const [, parentPid = 0] = fields;
      const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11);
      const startedAt = fields[19] ?? 0;
      return [{ pid, parentPid, id: `${pid} ${startedAt}`, startedAt, own: utime + stime, waited: cutime + cstime }];
    } catch {
      return [];
    }
  });
  return found.toSorted((one, other) => one.startedAt - other.startedAt || one.pid - other.pid);
}

import { freePort } from '../local/ports.js';

/** Asked for one by one before any is taken, two could be the same. */
export async function differentFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

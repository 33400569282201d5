import { freePort } from '../../local/ports.js';

/** Two calls of `freePort` can return the same port while neither is in use. */
export async function differentFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

// Below the ephemeral ports of outgoing connections, so that a server finds its port free after a restart.
const LOWEST = 15_000;
const HIGHEST = 32_000;

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isPortFree(port)) return port;
  }
}

/** The port in the file if it is free, else a free port, which the file then holds. */
export async function rememberedPort(file: string): Promise<number> {
  const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (Number.isInteger(known) && known > 0 && known < 65_536 && (await isPortFree(known))) return known;
  const port = await freePort();
  writeFileSync(file, `${port}\n`);
  return port;
}

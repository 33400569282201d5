import type { SQL } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgDialect } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

export type PgClient = postgres.Sql;
/** The queries that the pool and a transaction have in common. */
export type Queries = postgres.ISql;
export type Db = PostgresJsDatabase;
/** A transaction offers the same queries as the database itself. */
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/** For an answer from several queries: all of them see the same state. */
export function readSnapshot<Result>(db: Db, read: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

export interface Database {
  readonly db: Db;
  readonly pg: PgClient;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 30_000;

export function connectDatabase(url: string, options: { poolSize: number; name: string }): Database {
  const pg = postgres(url, {
    max: options.poolSize,
    connect_timeout: 5,
    // Short, so that queries fail fast without a database and the pool reconnects soon after it returns.
    backoff: (attempts) => Math.min(0.1 * 2 ** attempts, 2),
    idle_timeout: 60,
    onnotice: () => {},
    connection: { application_name: options.name, statement_timeout: STATEMENT_TIMEOUT_MS },
  });
  return { pg, db: drizzle(pg, { casing: 'snake_case' }), close: () => pg.end({ timeout: 5 }) };
}

const dialect = new PgDialect();

/**
 * For statements that run for every alert. Drizzle lets Postgres parse each execution, which costs a second round trip; a
 * prepared statement is parsed once for each connection.
 */
export async function executePrepared<Row = Record<string, unknown>>(pg: Queries, statement: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the statement's text defines its rows, as with drizzle's execute.
  return pg.unsafe(text, params as never[], { prepare: true }) as unknown as Promise<Row[]>;
}

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '40001', // serialization failure
  '40P01', // deadlock
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '57014', // statement timeout
  '57P01', // shutting down
  '57P02', // crashed
  '57P03', // starting up
]);

/** The error code of the database, also inside a wrapping error. */
export function databaseErrorCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}

/** For logs: drizzle's error repeats the parameters, which may contain personal data. */
export function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
}

/** True where the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code !== undefined && AWAY_CODES.has(code);
}

/** True where a text of the query contains NUL, which Postgres cannot store. */
export function isUnstorable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '22021' || code === '22P05';
}

/** True where the database will never take the values: a data exception, or a column's rule. */
export function isRefusedValue(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code !== undefined && (/^22\w{3}$/.test(code) || code === '23502' || code === '23514');
}

export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorCode(error) === '23505';
}

import { z } from 'zod';

/** A `curl` command of a document, and the JSON block after it. */
export interface DocumentedCommand {
  readonly command: string;
  readonly output: string;
  /** A request that only reads can be repeated until the documented state is reached. */
  readonly isRead: boolean;
}

const COMMAND_WITH_OUTPUT = /^```sh\n(?<command>curl (?:(?!```)[\s\S])*)\n```\n\n```json\n(?<output>(?:(?!```)[\s\S])*)\n```$/gm;

export function listCommands(document: string): DocumentedCommand[] {
  return [...document.matchAll(COMMAND_WITH_OUTPUT)].map(({ groups }) => {
    const command = groups?.['command'] ?? '';
    return { command, output: groups?.['output'] ?? '', isRead: !/ (?:-X|-d|--data|--request) /.test(command.replaceAll('\\\n', ' ')) };
  });
}

const Json: z.ZodType<Json> = z.json();
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export function parseJson(text: string): Json {
  return Json.parse(JSON.parse(text));
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const API_KEY = /\bai_[\w-]{20,}/g;
const EPOCH_FROM = 1_500_000_000;
const EPOCH_BEFORE = 3_000_000_000;

/** Replaces ids, times and keys, which differ in every run. */
export function mask(value: Json): Json {
  if (typeof value === 'string') return value.replace(UUID, '<uuid>').replace(API_KEY, '<key>');
  if (typeof value === 'number') return Number.isInteger(value) && value > EPOCH_FROM && value < EPOCH_BEFORE ? '<time>' : value;
  if (Array.isArray(value)) return value.map(mask);
  if (value === null || typeof value === 'boolean') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each)]));
}

/** The actual reply, cut down to the fields that the document shows. */
export function select(actual: Json, documented: Json): Json {
  if (Array.isArray(actual) && Array.isArray(documented)) return actual.map((each, index) => select(each, documented[index] ?? each));
  if (!isObject(actual) || !isObject(documented)) return actual;
  return Object.fromEntries(
    Object.keys(documented).flatMap((key) => (key in actual ? [[key, select(actual[key] ?? null, documented[key] ?? null)]] : [])),
  );
}

/** The documented block with the actual values; values that only the mask hides stay as they are. */
export function refresh(output: string, actual: Json): string {
  const documented = parseJson(output);
  const merged = merge(select(actual, documented), documented);
  return output.includes('\n') ? JSON.stringify(merged, null, 2) : formatLine(merged);
}

function merge(actual: Json, documented: Json): Json {
  if (isObject(actual) && isObject(documented))
    return Object.fromEntries(Object.entries(actual).map(([key, each]) => [key, merge(each, documented[key] ?? null)]));
  return JSON.stringify(mask(actual)) === JSON.stringify(mask(documented)) ? documented : actual;
}

function formatLine(value: Json): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { v7 } from 'uuid';

/** Time-ordered, so that the primary key is also the order of a list. */
export function newUuid(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** In the spelling of the database, which reads other spellings too. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The smallest version 7 uuid of a second, so that a time range is a range of the primary key. */
export function uuidFloor(epochSeconds: number): string {
  const milliseconds = Math.max(0, Math.min(epochSeconds * 1000, 2 ** 48 - 1));
  const hex = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function readTimestampMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

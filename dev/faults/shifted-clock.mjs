import { existsSync, readFileSync } from 'node:fs';

// In each thread of the service, `Date` is ahead by the milliseconds in a file, while the file exists.
// JavaScript, because threads load it without tsx.
const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const LOOK_EVERY_MS = 500;
const RealDate = Date;
let offsetMs = 0;

const look = () => {
  offsetMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
};
look();
setInterval(look, LOOK_EVERY_MS).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) => Reflect.construct(target, values.length === 0 ? [target.now() + offsetMs] : values, newTarget),
  apply: (target) => new target(target.now() + offsetMs).toString(),
  get: (target, name, receiver) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name, receiver)),
});

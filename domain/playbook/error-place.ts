const FRAME = /((?:[^\s():]+\/)?[\w.-]+\.ts):(\d+)(?::\d+)?\)?$/;
const FROM_ROOT = /(?:^|\/)((?:workflows|domain|connectors|activities|test|dev)\/.*)$/;
/** A stack begins with the message, which can have any length, and the pattern takes long for a long line. */
const MAX_FRAME_LENGTH = 1_000;
/** Code that authors call. Its caller is the place of the mistake. */
const OURS = /^(?:domain|connectors|activities|dev)\/|^workflows\/(?:lib\/|playbook\.ts|generated\.ts)|^test\/support\/kit\//;

/** `workflows/playbooks/data-loss.ts:12`: the first frame of a stack trace in an author's file, or else in any file of ours. */
export function findErrorPlace(stack: string | undefined): string | null {
  return findAuthorPlace(stack) ?? listPlaces(stack).map(toText)[0] ?? null;
}

/** Null if no frame is in an author's file. */
export function findAuthorPlace(stack: string | undefined): string | null {
  const place = listPlaces(stack).find(({ file }) => !OURS.test(file));
  return place ? toText(place) : null;
}

export interface WaitingPlaceActivities {
  /** Finds where the workflow of the activity waits. Null if it is in no author's file. */
  findWaitingPlace(): Promise<string | null>;
}

/** `stacks` are those of open promises, the newest last. */
export function findNewestAuthorPlace(stacks: string): string | null {
  const places = stacks.split('\n\n').map(findAuthorPlace);
  return places.findLast((place) => place !== null) ?? null;
}

interface Place {
  readonly file: string;
  readonly line: string;
}

function listPlaces(stack = ''): Place[] {
  return stack.split('\n').flatMap((frame) => {
    if (frame.length > MAX_FRAME_LENGTH || frame.includes('node_modules') || frame.includes('node:')) return [];
    const [, file, line] = FRAME.exec(frame.trim()) ?? [];
    return file === undefined || line === undefined ? [] : [{ file: FROM_ROOT.exec(file)?.[1] ?? file, line }];
  });
}

function toText({ file, line }: Place): string {
  return `${file}:${line}`;
}

/** `workflows/playbooks/data-loss.ts` for `dataLoss`. */
export function playbookFile(name: string): string {
  return `workflows/playbooks/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}

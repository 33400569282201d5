const FRAME = /((?:[^\s():]+\/)?[\w.-]+\.ts):(\d+)(?::\d+)?\)?$/;
const FROM_ROOT = /(?:^|\/)((?:workflows|domain|activities|test|tools)\/.*)$/;
/** Code that authors call. Its caller is the place of the mistake. */
const OURS = /^(?:domain|activities|tools)\/|^workflows\/(?:lib\/|playbook\.ts|generated\.ts)|^test\/support\/kit\//;

/** `workflows/playbooks/data-loss.ts:12`: the first frame of a stack trace in an author's file, or else in any file of ours. */
export function findErrorPlace(stack: string | undefined): string | null {
  return findAuthorPlace(stack) ?? listPlaces(stack).map(toText)[0] ?? null;
}

/** Null if no frame is in an author's file. */
export function findAuthorPlace(stack: string | undefined): string | null {
  const place = listPlaces(stack).find(({ file }) => !OURS.test(file));
  return place ? toText(place) : null;
}

interface Place {
  readonly file: string;
  readonly line: string;
}

function listPlaces(stack = ''): Place[] {
  return stack.split('\n').flatMap((frame) => {
    if (frame.includes('node_modules') || frame.includes('node:')) return [];
    const [, file, line] = FRAME.exec(frame.trim()) ?? [];
    return file === undefined || line === undefined ? [] : [{ file: FROM_ROOT.exec(file)?.[1] ?? file, line }];
  });
}

function toText({ file, line }: Place): string {
  return `${file}:${line}`;
}

const FRAME = /((?:[^\s():]+\/)?[\w.-]+\.ts):(\d+)(?::\d+)?\)?$/;
const FROM_ROOT = /(?:^|\/)((?:workflows|domain|activities|test|tools)\/.*)$/;
/** Code that authors call. Its caller is the place of the mistake. */
const OURS = /^(?:domain|activities|tools)\/|^workflows\/(?:lib\/|playbook\.ts|generated\.ts)|playbook-kit\.ts$/;

/** `workflows/playbooks/data-loss.ts:12`: the first frame of a stack trace in an author's file, or else in any file of ours. */
export function findErrorPlace(stack: string | undefined): string | null {
  const places = (stack ?? '').split('\n').flatMap((frame) => {
    if (frame.includes('node_modules') || frame.includes('node:')) return [];
    const [, file, line] = FRAME.exec(frame.trim()) ?? [];
    return file === undefined ? [] : [{ file: FROM_ROOT.exec(file)?.[1] ?? file, line }];
  });
  const place = places.find(({ file }) => !OURS.test(file)) ?? places[0];
  return place ? `${place.file}:${place.line}` : null;
}

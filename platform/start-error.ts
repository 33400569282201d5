/** What went wrong is the user's to mend: the message says how, and no stack follows. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** An error that the user can fix. Commands print only its message, which says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

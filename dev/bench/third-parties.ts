/** The third parties of the benchmark answer a question with this prefix after a delay, and others at once. */
export const SLOW_QUESTION = 'slow:';
export const QUICK_THIRD_PARTY_MS = 150;

import type { Catalogue } from './define.js';

/** Every connector there is. */
export const catalogue = {} as const satisfies Catalogue;

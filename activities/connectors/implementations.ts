import type { catalogue } from './catalogue.js';
import type { Implementation } from './define.js';

/** The compiler finds the connector that nobody implemented. */
export const implementations = {} satisfies { [Name in keyof typeof catalogue]: Implementation<(typeof catalogue)[Name]> };

// Every uuid that is a primary key is a version 7 uuid. It is time-ordered, so it is also the key of keyset pages.
export * from './agents.js';
export * from './alerts.js';
export * from './case-work.js';
export * from './cases.js';
export * from './chat.js';
export * from './connections.js';
export * from './identity.js';
export * from './investigations.js';
export * from './lifecycle.js';
export * from './notifications.js';
export * from './organization.js';
export * from './playbooks.js';
export * from './records.js';
export * from './response.js';
export * from './skills.js';
export * from './sla.js';
export * from './sources.js';

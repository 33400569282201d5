const MEBIBYTE = 1024 * 1024;

/** The limits of one case, so that its files do not fill the database. */
export const MAX_ATTACHMENTS = 50;
export const MAX_CASE_ATTACHMENT_BYTES = 100 * MEBIBYTE;
export const MAX_ATTACHMENT_BYTES = 10 * MEBIBYTE;

/** Of one case. */
export const MAX_TASKS = 200;
export const MAX_TASKS_AT_ONCE = 50;
/** Of one organization. */
export const MAX_TASK_TEMPLATES = 500;

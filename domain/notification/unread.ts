/** The unread count stops here, so that it costs the same for every inbox. Its own file: every page loads it, but not the schemas. */
export const MAX_UNREAD = 100;

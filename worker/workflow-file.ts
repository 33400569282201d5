/** The files that no other run shares: all but the definitions and libraries. */
export function isWorkflowFile(file: string): boolean {
  return !file.includes('node_modules') && !/[\\/](?:domain|connectors)[\\/]/.test(file);
}

/** Globals that workflow code must not use, because a replay would get another value. The sandbox does not have them. */
export const FORBIDDEN_GLOBALS = ['fetch', 'crypto', 'process', 'Buffer', 'require', 'performance', 'XMLHttpRequest', 'WebSocket'] as const;

export function describeUse(place: string, name: string): string {
  return `${place} uses ${name}. ${describeForbidden(name)}`;
}

export function describeImport(place: string, module: string): string {
  return `${place} imports ${module}. ${describeForbidden(`The Node module ${module}`)}`;
}

function describeForbidden(name: string): string {
  return `${name} is not available in a playbook, because Temporal replays its code. Ask a skill, or do it in an activity.`;
}

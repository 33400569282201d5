import { capitalize } from '../../options.js';

/** `threatIntelligence.getEnrichment` → `Threat intelligence` */
export function formatConnector(skill: string): string {
  return toWords(skill.split('.')[0] ?? skill);
}

/** `threatIntelligence.getEnrichment` → `Get enrichment` */
export function formatVerb(skill: string): string {
  return toWords(skill.split('.')[1] ?? skill);
}

function toWords(name: string): string {
  return capitalize(name.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`));
}

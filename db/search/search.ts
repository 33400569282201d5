import { HITS_PER_GROUP, type SearchResult } from '../../domain/search/search.js';
import { listTerms } from '../alerts/alert-search.js';
import type { Db } from '../client.js';
import { describeAlerts, findAlertKeys } from './find-alerts.js';
import { findCasesByTitle, findCasesOfAlerts } from './find-cases.js';
import { findEntities } from './find-entities.js';
import { findComments, findConnections, findEvidence } from './find-texts.js';
import type { Question } from './question.js';

/** Searches all records of one organization, or of all. */
export async function search(db: Db, organizationUuid: string | null, text: string): Promise<SearchResult> {
  const question: Question = { text, terms: listTerms(text), organizationUuid };
  if (question.terms.length === 0) return { entities: [], cases: [], alerts: [], comments: [], evidence: [], connections: [] };
  // Only the last steps need the results of others.
  const [entities, alertKeys, titled, comments, evidence, connections] = await Promise.all([
    findEntities(db, question),
    findAlertKeys(db, question),
    findCasesByTitle(db, question),
    findComments(db, question),
    findEvidence(db, question),
    findConnections(db, question),
  ]);
  const alerts = await describeAlerts(db, question, alertKeys, entities);
  const related = await findCasesOfAlerts(db, question, alerts);
  return {
    entities: entities.map(({ hit }) => hit),
    cases: [...new Map([...titled, ...related].map((hit) => [hit.id, hit])).values()].slice(0, HITS_PER_GROUP),
    alerts: alerts.map(({ hit }) => hit),
    comments,
    evidence,
    connections,
  };
}

import type { SearchResult } from '../../domain/search/search.js';
import { listTerms } from '../alerts/alert-search.js';
import type { Db } from '../client.js';
import { findAlerts } from './find-alerts.js';
import { findCases } from './find-cases.js';
import { findEntities } from './find-entities.js';
import { findComments, findConnections, findEvidence } from './find-texts.js';
import type { Question } from './question.js';

/** Searches all records of one organization, or of all. */
export async function search(db: Db, organizationUuid: string | null, text: string): Promise<SearchResult> {
  const question: Question = { text, terms: listTerms(text), organizationUuid };
  if (question.terms.length === 0) return { entities: [], cases: [], alerts: [], comments: [], evidence: [], connections: [] };
  const [entities, comments, evidence, connections] = await Promise.all([
    findEntities(db, question),
    findComments(db, question),
    findEvidence(db, question),
    findConnections(db, question),
  ]);
  const alerts = await findAlerts(db, question, entities);
  const cases = await findCases(db, question, alerts);
  return {
    entities: entities.map(({ hit }) => hit),
    cases,
    alerts: alerts.map(({ hit }) => hit),
    comments,
    evidence,
    connections,
  };
}

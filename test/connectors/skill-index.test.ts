import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue } from '../../connectors/kit/define.js';
import { CARDS, findSkillKey, findSkillTitle, isWrite, SKILLS } from '../../connectors/skill-index.js';
import { toSkillKey } from '../../domain/skill-key.js';

/** Rows store these keys. A renamed property of a contract needs a migration. */
const FROZEN_KEYS = [
  ...['getMachineAction', 'getInvestigationPackage', 'getLiveResponseResult', 'getScanResult', 'listMachineActions', 'listAlerts'],
  ...['getAlert', 'runAdvancedQuery', 'listIndicators', 'createIndicator', 'listMachines', 'getMachine', 'listMachineLogonUsers'],
  ...['isolateMachine', 'unisolateMachine', 'runAntivirusScan', 'collectInvestigationPackage', 'runLiveResponse'],
  ...['listVulnerabilities', 'listMachinesVulnerabilities', 'listRecommendations'],
]
  .map((verb) => `endpointDetection.${verb}`)
  .concat(
    ...['incidentSource.listIncidentsForDetections', 'incidentSource.listIncidents', 'incidentSource.getIncident'],
    ...['malwareProtection.retrieveEvents', 'malwareProtection.listComputers', 'malwareProtection.createEventStream'],
    ...['vulnerabilityInvestigation.listInvestigations', 'vulnerabilityInvestigation.getInvestigation'],
    ...['vulnerabilityInvestigation.listInvestigationAlerts', 'vulnerabilityInvestigation.searchVulnerabilitiesOfAsset'],
    ...['travelBooking.getUsers', 'travelBooking.searchUserTravel', 'travelBooking.getBookings'],
    ...['threatIntelligence.getPlaybookAlerts', 'threatIntelligence.listAlerts', 'threatIntelligence.getEnrichment'],
  );

describe('the keys of skills', () => {
  it('are unique', () => {
    const contracts: Catalogue = catalogue;
    expect(SKILLS.size).toBe(Object.values(contracts).flatMap(({ skills }) => Object.keys(skills)).length);
  });

  it('stay, whatever the titles are', () => {
    expect([...SKILLS.keys()]).toEqual(expect.arrayContaining(FROZEN_KEYS));
  });

  it('are those that the migration gave to stored rows', () => {
    const migration = readFileSync(new URL('../../db/migrations/0035_skill-keys.sql', import.meta.url), 'utf8');
    const given = [...migration.matchAll(/^\t\('(?<kind>[^']+)', '[^']+', '(?<key>[^']+)'\)/gm)].map(({ groups }) => groups);
    expect(given.map((row) => row?.['key']).sort()).toEqual([...FROZEN_KEYS].sort());
    for (const row of given) expect(SKILLS.get(row?.['key'] ?? '')?.connectorKind).toBe(row?.['kind']);
  });
});

describe('the index', () => {
  const isolation = toSkillKey('endpointDetection', 'isolateMachine');

  it('finds the key for the title of an earlier build, and the title for a key', () => {
    expect(findSkillKey('Isolate machine')).toBe(isolation);
    expect(findSkillKey('Something else')).toBe('Something else');
    expect(findSkillTitle(isolation)).toBe('Isolate machine');
    expect(findSkillTitle('newer.skill')).toBe('newer.skill');
  });

  it('knows writes and cards by key', () => {
    expect(isWrite(isolation)).toBe(true);
    expect(isWrite(toSkillKey('endpointDetection', 'listMachines'))).toBe(false);
    expect(isWrite(toSkillKey('gone', 'write'))).toBe(false);
    expect(CARDS.has(toSkillKey('endpointDetection', 'listMachines'))).toBe(true);
    expect([...CARDS.keys()].filter((key) => !SKILLS.has(key))).toEqual([]);
  });
});

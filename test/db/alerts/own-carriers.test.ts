import { describe, expect, it } from 'vitest';
import { findOwnCarriers } from '../../../db/alerts/own-carriers.js';
import { newUuid } from '../../../db/ids.js';
import { measureSpread } from '../../../domain/record/spread.js';
import { searchCopies } from '../../../services/records/search-copies.js';
import { DAY, database, setUpCarriers, storeAlerts, TODAY, TUNNEL } from './support/own-carriers.js';

setUpCarriers();

const carriers = () => findOwnCarriers(database.pg, 'NOW-1', TODAY + 100, [TUNNEL]);
const spreads = () =>
  searchCopies(database.pg, [], { alertId: 'NOW-1', values: [TUNNEL.value], around: TODAY + 100 }).then((answer) => answer.spreads);

describe('the own alerts with a value', () => {
  it('are those of earlier days, with their machines', async () => {
    await storeAlerts('TODAY', 0, 10, 12);
    await storeAlerts('YESTERDAY', 1, 20, 21);
    await storeAlerts('EARLIER', 5, 30, 30);
    await storeAlerts('LONG-AGO', 40, 40, 40);
    const found = await carriers();
    expect(found.map(({ alertId }) => alertId).sort()).toEqual(['EARLIER-30', 'YESTERDAY-20', 'YESTERDAY-21']);
    expect(found.find(({ alertId }) => alertId === 'EARLIER-30')).toEqual({
      alertId: 'EARLIER-30',
      caseId: null,
      conclusion: null,
      at: TODAY - 5 * DAY,
      named: [TUNNEL.value],
      names: [{ kind: 'host', value: 'ws-30' }],
    });
  });

  it('make a value shared that machines of three days have, not that of a burst', async () => {
    await storeAlerts('BURST', 1, 20, 40);
    expect(await spreads()).toEqual([]);
    await storeAlerts('OTHER', 2, 41, 42);
    expect(await spreads()).toEqual([]);
    await storeAlerts('THIRD', 3, 43, 43);
    expect(await spreads()).toMatchObject([{ value: TUNNEL.value, subjects: 11, machines: 11, days: 3, hasAttack: false }]);
  });

  it('have the conclusion of a person', async () => {
    await storeAlerts('YESTERDAY', 1, 20, 20);
    await database.pg`
      with its_case as (
        insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, title, opened_at, modified_at, analyst_verdict)
        select ${newUuid()}::uuid, 'NORTH-CASE-1', organization_uuid, alert_uuid, 'x', now(), now(), 'benign' from alerts where alert_id = 'YESTERDAY-20'
        returning case_uuid, alert_uuid
      ) insert into case_alerts (alert_uuid, case_uuid) select alert_uuid, case_uuid from its_case`;
    const [found] = await carriers();
    expect(found).toMatchObject({ caseId: 'NORTH-CASE-1', conclusion: 'benign' });
    expect(measureSpread(TUNNEL.value, []).cases).toBe(0);
  });
});

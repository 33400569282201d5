import { mkdtempSync, rmSync } from 'node:fs';
import { Client, Connection } from '/work/main/node_modules/@temporalio/client/lib/index.js';
import { startPostgres } from '/work/main/local/postgres.js';
import { createLogger } from '/work/main/platform/log.js';
import { migrate } from '/work/main/db/migrate.js';
import { bootstrap } from '/work/main/db/bootstrap.js';
import { connectDatabase } from '/work/main/db/client.js';
import { checkOutcome, checkMigrations } from '/work/main/local/rehearsal/checks.js';
import { formatReport } from '/work/main/local/rehearsal/report.js';
const folder = mkdtempSync('/tmp/sabotage-');
const pg = await startPostgres({ folder: folder + '/pg', log: createLogger('warn', 'x') });
await pg.createDatabase('x');
await migrate(pg.url('x'));
await bootstrap(pg.url('x'), { adminApiKey: 'x'.repeat(30) });
const { sql, close } = connectDatabase(pg.url('x'), { poolSize: 2, name: 'x' });
const [org] = await sql`select organization_uuid as o from organizations`;
const [prov] = await sql`select provider_uuid as p from providers where name='siem'`;
const u = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const N = 3;
const fill = async () => {
  for (let n = 1; n <= N; n++) {
    await sql`insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by, created_at, modified_at, investigation_status, dispatched_no, playbook_uuid)
      values (${u(n)}, ${'DEMO-SIEM-' + n}, ${org!.o}, ${prov!.p}, 't', 't', 'c', ${u(9)}, now(), now(), 15, 1, ${u(8)})`;
    await sql`insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, opened_at, modified_at) values (${u(n)}, ${'DEMO-CASE-' + n}, ${org!.o}, ${u(n)}, now(), now())`;
    await sql`insert into case_alerts values (${u(n)}, ${u(n)})`;
    for (const kind of ['opened', 'concluded']) await sql`insert into case_timeline (case_uuid, at, kind, text) values (${u(n)}, now(), ${kind}, '')`;
    await sql`insert into evidence (alert_uuid, investigation_no, attempt, step, at, kind, title, points, reason, techniques) values (${u(n)}, 1, 1, 's', now(), 'note', 't', 0, '', '{}')`;
    await sql`insert into audit_log (at, principal_name, action, target) values (now(), 'x', 'alert.create', ${'DEMO-SIEM-' + n})`;
  }
  await sql`insert into playbooks (playbook_uuid, name, origin, workflow_type, created_at, modified_at) values (${u(8)}, 'g', 'generated', 'generated', now(), now())`;
};
await fill();
const look = async (title: string, ack = [1, 2, 3]) => {
  const checks = await checkOutcome({ sql, temporal: new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }), apiUrl: 'http://127.0.0.1:1', adminKey: 'x', organization: 'DEMO', provider: 'siem', newAlertType: 't', expected: N,
    acknowledged: title === 'x' ? [] : ack.map((n) => ({ alertId: 'DEMO-SIEM-' + n, tries: 1, elapsedMs: 1 })), workers: [] } as never);
  console.log('==', title); console.log(formatReport(checks.slice(0, 8), []).split('\n').filter((l) => title === 'clean' || /FAILED/.test(l)).join('\n'));
};
console.log(await checkMigrations(sql, 2), await checkMigrations(sql, 3));
const undoable = async (title: string, work: (t: typeof sql) => Promise<unknown>, ack?: number[]) => { await work(sql); await look(title, ack); await sql`truncate alerts, cases, case_alerts, case_timeline, evidence, playbooks cascade`; await sql`alter table audit_log disable trigger all`; await sql`delete from audit_log where action='alert.create'`; await fill(); };
await look('clean');
await undoable('ack double', async () => {}, [1, 2, 2]);
await undoable('ack lost', async () => {}, [1, 2, 4]);
await undoable('gap', (s) => s`update alerts set alert_id='DEMO-SIEM-7' where alert_uuid=${u(2)}`);
await undoable('status 20', (s) => s`update alerts set investigation_status=20 where alert_uuid=${u(2)}`);
await undoable('audit twice', (s) => s`insert into audit_log (at, principal_name, action, target) values (now(), 'x', 'alert.create', 'DEMO-SIEM-1')`);
await undoable('two cases', (s) => s`insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, opened_at, modified_at) values (${u(7)}, 'z', ${org!.o}, ${u(1)}, now(), now())`);
await undoable('concluded twice', (s) => s`insert into case_timeline (case_uuid, at, kind, text) values (${u(1)}, now(), 'concluded', '')`);
await undoable('evidence twice', (s) => s`insert into evidence select alert_uuid, investigation_no, attempt, 's-2', at, kind, source, title, points, reason, techniques from evidence where alert_uuid=${u(1)}`);
await undoable('evidence of two attempts', (s) => s`insert into evidence select alert_uuid, investigation_no, 2, 's', at, kind, source, 'other', points, reason, techniques from evidence where alert_uuid=${u(1)}`);
await undoable('no evidence', (s) => s`delete from evidence where alert_uuid=${u(1)}`);
await undoable('two playbooks', (s) => s`insert into playbooks (playbook_uuid, name, origin, workflow_type, created_at, modified_at) values (${u(7)}, 'g', 'generated', 'generated', now(), now())`);
await close(); await pg.stop(); rmSync(folder, { recursive: true }); process.exit();

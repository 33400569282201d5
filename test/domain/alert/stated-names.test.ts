import { expect, it } from 'vitest';
import { csv } from '../../../activities/entities/csv.js';
import { yaml } from '../../../activities/entities/yaml.js';
import { readAlertContent } from '../../../domain/alert/alert-content.js';
import { findStatedNames } from '../../../domain/alert/stated-names.js';

const namesIn = (content: string) => readAlertContent(content, [yaml, csv]).names.map(({ short, full }) => `${short} = ${full}`);

it.each([
  ['fields of an object', JSON.stringify({ hostname: 'WS-014', fqdn: 'ws-014.corp.example.' }), ['ws-014 = ws-014.corp.example']],
  [
    'an account and its address',
    JSON.stringify({ user: { name: 'CORP\\dana', upn: 'Dana@corp.example', sam_account_name: 'dana' } }),
    ['corp\\dana = dana@corp.example', 'dana = dana@corp.example'],
  ],
  ['YAML', 'device:\n  hostname: ws-014\n  fqdn: ws-014.corp.example\n', ['ws-014 = ws-014.corp.example']],
  ['a row of a table', 'hostname,fqdn,user\nws-014,ws-014.corp.example,x\nws-015,ws-016.corp.example,y', ['ws-014 = ws-014.corp.example']],
  ['a log line', 'CEF:0|V|P|1|1|Odd process|5|dhost=ws-014 shost=ws-014.corp.example', []],
  [
    'a log line about one host',
    'CEF:0|V|P|1|1|Odd process|5|dhost=ws-014 dvchost=x deviceDnsName=ws-014.corp.example',
    ['ws-014 = ws-014.corp.example'],
  ],
  ['two objects', JSON.stringify([{ hostname: 'ws-014' }, { fqdn: 'ws-014.corp.example' }]), []],
  ['the ends of a connection', JSON.stringify({ source_host: 'ws-014', dest_host: 'ws-014.corp.example' }), []],
  ['other fields', JSON.stringify({ title: 'ws-014', text: 'ws-014.corp.example' }), []],
  ['names that differ', JSON.stringify({ hostname: 'ws-014', fqdn: 'ws-0141.corp.example' }), []],
])('finds short and full names in %s', (_, content, expected) => {
  expect(namesIn(content)).toEqual(expected);
});

it('finds them in the objects of a record', () => {
  const record = {
    devices: [{ deviceDnsName: 'ws-014.corp.example', hostName: 'ws-014', loggedOnUsers: [{ accountName: 'dana', domainName: 'CORP' }] }],
    evidence: [{ entityType: 'User', accountName: 'dana', userPrincipalName: 'dana@corp.example' }],
  };
  expect(findStatedNames(record)).toEqual([
    { family: 'host', short: 'ws-014', full: 'ws-014.corp.example' },
    { family: 'account', short: 'dana', full: 'dana@corp.example' },
  ]);
});

/** Log lines whose fields have no names: the place of the account tells what it is. */
const ACCOUNT_PLACES = [
  // Cisco firewalls: `Built outbound TCP connection 8 for outside:… to inside:… (192.0.2.1/51022) (dana)`.
  /%(?:ASA|FTD|FWSM)-\d-\d{6}: (?:Built|Teardown)[^\n]{0,1000}?\((?<account>[^()/\s]{1,128})\)(?=\s|$)/g,
  // Squid: `1795092423.840 211 192.0.2.1 TCP_TUNNEL/200 8122 CONNECT site:443 dana HIER_DIRECT/192.0.2.9 -`.
  /(?:^|\s)\d{10}\.\d{3}\s{1,20}\d{1,12} \S{1,255} [A-Z_]{3,40}\/\d{3} \d{1,20} [A-Z]{3,12} \S{1,4096} (?<account>\S{1,128}) [A-Z_]{3,40}\/\S/g,
  // Web servers: `192.0.2.1 - dana [10/Oct/2026:13:55:36 +0000] "GET …`.
  /(?:^|\s)\S{1,255} \S{1,128} (?<account>[^\s"]{1,128}) \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} /g,
] as const;

const MAX_LENGTH = 256 * 1024;

/** The accounts in such lines of a text, as written. */
export function findUnnamedAccounts(text: string): string[] {
  const lines = text.slice(0, MAX_LENGTH);
  return ACCOUNT_PLACES.flatMap((place) => [...lines.matchAll(place)].map(({ groups }) => groups?.['account'] ?? ''));
}

import type { Entity } from './entity.js';
import { canonicalIp } from './ip.js';

const DEFANGED_DOT = /[[({<]\s?(?:\.|dot)\s?[\])}>]/gi;
const DEFANGED_AT = /[[({<]\s?(?:@|at)\s?[\])}>]/gi;
const DEFANGED_SCHEME = /^(?:hxxp|meow|h\*\*p)(s?)(?=:|\[:\])/i;

/** `evil[.]example` as `evil.example`, `hxxps[:]//…` as `https://…`, `dana[at]corp.example` as `dana@corp.example`. */
export function refang(text: string): string {
  if (!/[[({<]|^(?:hxxp|meow|h\*\*p)/i.test(text)) return text;
  return text.replace(DEFANGED_DOT, '.').replace(DEFANGED_AT, '@').replace(DEFANGED_SCHEME, 'http$1').replace('[:]//', '://');
}

type Named = Pick<Entity, 'kind' | 'value'>;

/** The one spelling that the form of a value alone decides. It is how alerts store the entity. */
export function canonicalEntity({ kind, value: given }: Named): Named {
  const value = refang(given.trim());
  switch (kind) {
    case 'ip':
      return { kind, value: canonicalIp(value.replace(/^\[(.*)\]$/, '$1')) ?? value };
    case 'host':
    case 'domain':
    case 'email':
      return { kind, value: withoutFinalDot(value.toLowerCase()) };
    case 'user':
      return { kind, value: value.includes('@') ? withoutFinalDot(value.toLowerCase()) : value.toLowerCase() };
    case 'hash':
    case 'machine-id':
      return { kind, value: value.toLowerCase() };
    case 'cve':
      return { kind, value: value.toUpperCase() };
    case 'url':
      return { kind, value: hasCanonicalSite(value) ? value : canonicalUrl(value) };
    default:
      return { kind, value: given };
  }
}

/** As browsers write it, with the host in its one spelling. */
export function canonicalUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.hostname.endsWith('.')) url.hostname = withoutFinalDot(url.hostname);
  const ip = canonicalIp(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== null && !ip.includes(':')) url.hostname = ip;
  return url.href;
}

/** Such a link stays as an alert has it: an encoding of its path would be another link. */
function hasCanonicalSite(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { protocol, host } = new URL(canonicalUrl(text));
  return text.startsWith(`${protocol}//${host}/`);
}

function withoutFinalDot(name: string): string {
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name;
}

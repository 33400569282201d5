/** The words before a place in the languages of most alerts: `from Singapore`, `city=Porto Alegre`, `Ort: Kiel`, `都市はLima`. */
const LABELS = [
  ...['from', 'near', 'location', 'place', 'city', 'state', 'country', 'region'],
  ...['aus', 'ort', 'standort', 'stadt', 'land'],
  ...['depuis', 'vient de', 'lieu', 'ville', 'pays', 'desde', 'lugar', 'ubicación', 'ciudad', 'país', 'local', 'cidade', 'luogo'],
  ...['città', 'paese', 'miejsce', 'miasto', 'kraj', 'lokalizacja', 'plaats', 'stad', 'место', 'город', 'страна'],
].flatMap((label) => [label, label.charAt(0).toUpperCase() + label.slice(1), label.toUpperCase()]);
const LABELS_WITHOUT_SPACES = ['場所', '地点', '都市', '国', '位置', '城市'];
/** What may stand between the label and the place. */
const BETWEEN = `["'*|{]{0,3}[ \\t]{0,3}(?:[:=：|]|は|が|es\\b|est\\b|ist\\b|is\\b)?[ \\t]{0,3}["'\`*{]{0,3}[ \\t]{0,3}`;
const NAME = `(\\p{Lu}[\\p{L}.'’-]{2,40}(?: \\p{Lu}[\\p{L}.'’-]{1,40}){0,2})`;
const PLACE = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${LABELS.join('|')})(?![\\p{L}\\p{N}])|${LABELS_WITHOUT_SPACES.join('|')})${BETWEEN}${NAME}`,
  'gu',
);

/** Returns the places that an alert names, in lower case, without duplicates. */
export function placesIn(content: string): string[] {
  return [...new Set([...content.matchAll(PLACE)].map(([, place = '']) => place.replace(/[.'’-]+$/, '').toLowerCase()))];
}

/** A local date begins up to 14 hours before the same date in UTC. */
const EARLIEST_ZONE_SECONDS = 14 * 3600;

/** Whether the local date may have begun at this time in some time zone. False for an unreadable date. */
export function hasBegun(localDate: string, epochSeconds: number): boolean {
  return Date.parse(localDate.slice(0, 10)) / 1000 - EARLIEST_ZONE_SECONDS <= epochSeconds;
}

const USERS = ['dana', 'alexei', 'priya', 'chen', 'maria', 'yusuf', 'ines', 'noah'];
const ACTIONS = ['signed in', 'was refused', 'changed a password', 'opened a session', 'read a mailbox', 'created a rule'];
const PLACES = ['Lisbon', 'Nairobi', 'Oslo', 'Lima', 'Hanoi', 'Perth', 'Quito', 'Riga'];

/** Alert contents of about 300 characters with different names, addresses and numbers. */
export function sampleContents(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const user = USERS[n % USERS.length];
    const place = PLACES[(n * 3) % PLACES.length];
    const action = ACTIONS[(n * 5) % ACTIONS.length];
    const lines = [
      `user=${user}@example.com ${action} from 203.0.113.${n % 250} (${place}) at host wks-${1000 + n}`,
      `session=${(n * 7919).toString(16).padStart(8, '0')} device=laptop-${n} agent="Mozilla/5.0 (X11; Linux x86_64)" risk=medium`,
      `previous sign-in from 198.51.100.${(n * 7) % 250}, ${n + 2} hours earlier; policy "impossible travel" matched with confidence ${n % 100}`,
    ];
    return lines.join('\n');
  });
}

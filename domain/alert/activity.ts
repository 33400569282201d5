import { compact, type Field } from './json-walk.js';

/** What an alert says that happened, for the rules in `domain/investigation/behaviours`. All texts are in lower case. */
export interface Activity {
  /** Command lines and scripts, without quotes and escape characters, so that `vss^admin` is `vssadmin`. */
  readonly commands: readonly string[];
  /** Ids of Windows events. */
  readonly eventIds: readonly string[];
  /** The names of what happened: `CreateAccessKey`, `Add member to role.`. */
  readonly actions: readonly string[];
  /** The values of each field by its name in the form of `compact`, alone and after the name of its object. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The source marks the event as a simulation. */
  readonly isSimulation: boolean;
}

export const NO_ACTIVITY: Activity = { commands: [], eventIds: [], actions: [], fields: new Map(), isSimulation: false };

const MAX_COMMANDS = 200;
const MAX_COMMAND_LENGTH = 4096;
const MAX_FIELDS = 2000;
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 512;
/** Of all commands, and of all values. They bound the time of the rules. */
const MAX_CHARACTERS = 64 * 1024;
const MAX_LINES = 500;
const MAX_LINE_LENGTH = 8192;

function names(lines: string): ReadonlySet<string> {
  return new Set(lines.split(', ').map(compact));
}

const COMMAND_FIELDS = names(
  'command, command line, commandline, cmd, cmd line, cmdline, process command line, process cmdline, new process command line, full command, executed command, command executed, argv, process args, process arguments, arguments, script, script block text, script content, script block, powershell command, task content, action command, task to run, image path, service file name, registry value data, parent command line, target process command line, src process cmd line, initiating process command line, initiating process parent command line, actor process command line, actor process image command line, Befehl, Befehlszeile, Kommandozeile, ligne de commande, línea de comandos, linha de comando, riga di comando, opdrachtregel, командная строка, コマンド, コマンドライン, 命令行, 명령줄',
);
const EVENT_ID_FIELDS = names('event id, event code, windows event id, win event id, winlog event id, win event code, win system event id');
const ACTION_FIELDS = names(
  'action, action type, event action, operation, operation name, operation type, event name, event type, activity, activity name, activity display name, activity type, api call, api name, method name, protopayload method name, event simple name, message type',
);
const SIMULATION_FIELDS = names(
  'simulation, is simulation, simulated, attack simulation, is test, is simulated, drill, is drill, exercise, is exercise',
);
const YES = /^(?:true|yes|1)$/;

/** The first sentence of Windows events, which many collectors send without the id. */
const EVENT_SENTENCES: ReadonlyMap<string, string> = new Map([
  ['a member was added to a security-enabled global group', '4728'],
  ['a member was added to a security-enabled local group', '4732'],
  ['a member was added to a security-enabled universal group', '4756'],
  ['a user account was created', '4720'],
  ['a scheduled task was created', '4698'],
  ['a service was installed in the system', '4697'],
  ['the audit log was cleared', '1102'],
]);

/** Collects the activity while an alert is read. */
export class ActivityReader {
  readonly #commands = new Set<string>();
  readonly #eventIds = new Set<string>();
  readonly #actions = new Set<string>();
  readonly #fields = new Map<string, string[]>();
  #isSimulation = false;
  #commandCharacters = 0;
  #valueCharacters = 0;

  result(): Activity {
    return {
      commands: [...this.#commands],
      eventIds: [...this.#eventIds],
      actions: [...this.#actions],
      fields: this.#fields,
      isSimulation: this.#isSimulation,
    };
  }

  readField({ name, owner }: Field, value: string): void {
    if (value === '') return;
    const joined = owner + name;
    const isEither = (known: ReadonlySet<string>) => known.has(name) || known.has(joined);
    if (isEither(COMMAND_FIELDS)) this.readCommand(value);
    if (value.length > MAX_LINE_LENGTH) return;
    const text = value.slice(0, MAX_VALUE_LENGTH).trim().toLowerCase();
    if (isEither(EVENT_ID_FIELDS) && /^\d{1,5}$/.test(text)) this.#eventIds.add(text);
    if (isEither(ACTION_FIELDS)) this.#addAction(text);
    if (isEither(SIMULATION_FIELDS)) this.#isSimulation ||= YES.test(text);
    this.#addValue(name, text);
    if (owner !== '') this.#addValue(joined, text);
  }

  readCommand(command: string): void {
    const text = plainCommand(command);
    if (text.length <= 2 || this.#commands.has(text) || this.#commands.size === MAX_COMMANDS) return;
    this.#commandCharacters += text.length;
    if (this.#commandCharacters <= MAX_CHARACTERS) this.#commands.add(text);
  }

  /** Reads `Name: value`, `name=value` and lines that are commands. Other sentences only speak about behaviour. */
  readProse(text: string): void {
    for (const line of text.slice(0, MAX_LINES * 200).split(/[\r\n]+/, MAX_LINES)) {
      if (line.length > MAX_LINE_LENGTH || line.trim() === '') continue;
      this.#readSentence(line);
      const label = LABEL.exec(line);
      if (label) this.readField({ name: compact(label[1] ?? ''), owner: '' }, unquoted(label[2] ?? ''));
      for (const { name, value } of findPairs(line)) this.readField({ name: compact(name), owner: '' }, value);
      if (SPOKEN_OF.test(line)) continue;
      for (const part of [line, ...line.split(BEFORE_COMMAND).slice(0, 50)]) if (isCommand(part)) this.readCommand(part);
      const group = NEW_MEMBER.exec(line);
      if (group) this.#readNewMember(group[1] ?? '');
    }
  }

  #readSentence(line: string): void {
    const sentence = line.trim().toLowerCase().split('.', 1)[0] ?? '';
    const id = EVENT_SENTENCES.get(sentence);
    if (id !== undefined) this.#eventIds.add(id);
  }

  #readNewMember(group: string): void {
    this.#addAction('member added to group');
    this.#addValue('groupname', group.toLowerCase());
  }

  #addAction(text: string): void {
    if (this.#actions.size < MAX_VALUES) this.#actions.add(text);
  }

  #addValue(name: string, text: string): void {
    this.#valueCharacters += text.length;
    if (this.#valueCharacters > MAX_CHARACTERS) return;
    const values = this.#fields.get(name);
    if (values !== undefined) {
      if (values.length < MAX_VALUES && !values.includes(text)) values.push(text);
    } else if (this.#fields.size < MAX_FIELDS) this.#fields.set(name, [text]);
  }
}

const LABEL = /^[\s>*•-]{0,8}["'`*]{0,2}(\p{L}[\p{L}\p{N}_ ./()-]{0,48}?)["'`*]{0,2}\s?[:：]\s{0,8}(\S.*)$/u;
const PAIR = /(?:^|[\s,;|{(])([A-Za-z_][\w.-]{0,63})=/g;

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** `cmd=vssadmin delete shadows user=jane`: a value ends before the next name, or at its closing quote. */
function findPairs(line: string): Pair[] {
  const pairs: Pair[] = [];
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(line); match && pairs.length < MAX_FIELDS; ) {
    const from = PAIR.lastIndex;
    const quote = line[from];
    const close = quote === '"' || quote === "'" ? line.indexOf(quote, from + 1) : -1;
    if (close > 0) PAIR.lastIndex = close + 1;
    const next = PAIR.exec(line);
    const value = close > 0 ? line.slice(from + 1, close) : line.slice(from, next?.index ?? line.length).trim();
    pairs.push({ name: match[1] ?? '', value });
    match = next;
  }
  return pairs;
}

function unquoted(value: string): string {
  return /^(["'`])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();
}

/** Quotes, carets and backticks do not change a command, so attackers write them into words. */
function plainCommand(command: string): string {
  return command
    .slice(0, MAX_COMMAND_LENGTH)
    .normalize('NFKC')
    .replace(/[\p{Cf}"'`^]/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A line that begins with the path or the name of a program and continues with its arguments. */
const PROGRAM =
  /^["']?(?:(?:[a-z]:|%\w{1,30}%|\\\\[\w.-]{1,60})\\[\w\\ .()%-]{0,120}\\|(?:\/[\w.-]{1,40}){1,8}\/)?(?:cmd|powershell|pwsh|vssadmin|wmic|wbadmin|bcdedit|diskshadow|certutil|bitsadmin|mshta|rundll32|regsvr32|schtasks|sc|net1?|netsh|reg|wevtutil|procdump(?:64)?|mimikatz|ntdsutil|psexec(?:64)?|rclone|curl|wget|bash|sh|python3?|cipher|fsutil|taskkill|auditpol|dsquery|nltest|adfind|esxcli|installutil|msbuild|cscript|wscript|at|crontab|systemctl|setenforce|iptables|chmod|sudo|base64|nc|ncat|socat)(?:\.exe)?["']?\s+(?!(?:on|by|from|for|at|and)\b)[^\s]/i;
/** Words that sentences have and commands do not. */
const SENTENCE =
  /\b(?:is|are|was|were|has|have|the|that|which|often|usually|can|may|could|would|should|attackers?|blocked|prevented|used|uses|using)\b/i;

/** Where a command can begin in a sentence: `FS-01: vssadmin …`, `cmd.exe executed vssadmin …, 400 files renamed`. */
const BEFORE_COMMAND = /; |`|: |, |\. (?=[A-Z\d])|\b(?:executed|executes|ran|runs|running|launched|spawned|started|invoked)\s/;
/** A sentence about behaviour in general, about a test, or about a command that did not run. */
const SPOKEN_OF =
  /\b(?:articles?|blog|report|advisory|bulletin|news|training|example|attackers?|adversar(?:y|ies)|gangs?|groups? such as|blocked|prevented|denied|test(?:s|ed|ing)?|simulat\w+|drill|exercise|how to|learn|would|could|should|may|might|can|often|usually|no|not|never|without)\b/i;
/** `jane was added to the group Domain Admins`, `New member of Domain Admins: jane`. */
const NEW_MEMBER =
  /\b(?:added\b[^.;\n]{1,80}\bto|new member (?:of|in))(?:\s(?:the|group|security|global|local|universal|privileged)){0,4}\s["'`]?(domain admins|enterprise admins|schema admins|administrators)\b/i;

function isCommand(line: string): boolean {
  const text = line.trim();
  return text.length <= MAX_COMMAND_LENGTH && PROGRAM.test(text) && !SENTENCE.test(text);
}

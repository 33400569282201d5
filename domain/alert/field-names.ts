import { ENTITY_ROLES, type EntityRole } from '../entity/entity.js';
import { HEADER_NAMES } from './alert-header.js';
import { compact, type Field } from './json-walk.js';

/** The kinds of entities that only a name in front of the value tells. */
export const NAMED_KINDS = ['user', 'host', 'machine-id', 'incident-id', 'alert-id', 'investigation-id'] as const;
export type NamedKind = (typeof NAMED_KINDS)[number];

/** The meaning of a field's name. A name can state a kind, a role, or both, or belong to the header of the alert. */
export interface NameMeaning {
  readonly kind?: NamedKind;
  readonly role?: EntityRole;
  /** A short word such as `to`, which states a role only in front of an email address. */
  readonly mailOnly?: true;
  /** A word such as `resource` that is used for other things too: the value must also have the form of the kind. */
  readonly weak?: true;
}

function phrases(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(', ').map(compact));
}

const NAMES: Record<NamedKind, readonly string[]> = {
  user: phrases(
    'user, user name, user id, user account, user login, user principal name, user upn, upn, username, usr, usr name, user display name, acct',
    'auid, last logged in user name, last logged in user, last logged on user, logged in user, logged on user, last user, primary user',
    'account, account name, account upn, sam account name, login, login name, logon name, employee',
    'Benutzer, Benutzers, Benutzername, Benutzerkonto, Nutzer, Nutzername, Anwender, Konto, Kontoname, Anmeldename',
    'utilisateur, nom d utilisateur, nom utilisateur, compte, compte utilisateur, usuario, nombre de usuario, cuenta, cuenta de usuario',
    'usuário, nome de usuário, conta, utente, nome utente, gebruiker, gebruikersnaam, użytkownik, nazwa użytkownika, uživatel, účet',
    'användare, bruker, brukernavn, bruger, brugernavn, käyttäjä, kullanıcı, kullanıcı adı, hesap, felhasználó, utilizator, người dùng, pengguna',
    'пользователь, пользователя, пользователем, имя пользователя, учетная запись, логин, користувач, користувача, обліковий запис, потребител',
    'ユーザー, ユーザ, ユーザー名, ユーザ名, ユーザーID, アカウント, アカウント名, 利用者, 用户, 用户名, 账户, 账号, 帐户, 使用者, 使用者名稱, 帳號, 帳戶',
    '사용자, 사용자명, 사용자 이름, 계정, 계정명, المستخدم, اسم المستخدم, الحساب, משתמש, שם משתמש, χρήστης, उपयोगकर्ता',
  ),
  host: phrases(
    'host, host name, host fqdn, fqdn, dns host name, dns name, netbios name, dvchost, server, server name, asset, asset name',
    'device, device name, device dns name, device fqdn, dev name, computer, computer name, computer dns name, endpoint, endpoint name, agent name',
    'machine, machine name, machine dns name, workstation, workstation name, laptop, resource, system name, node, node name, k8s node name, kubernetes node name',
    'Rechner, Rechnername, Computername, Gerät, Gerätename, Endgerät, Arbeitsplatz, Arbeitsstation, Servername, Notebook',
    'hôte, nom d hôte, ordinateur, poste, poste de travail, appareil, serveur, equipo, nombre del equipo, ordenador, computadora, dispositivo',
    'virtual machine, vm, vm name, instance name, compute instance, estação, estação de trabalho, posto de trabalho, equipamento',
    'puesto, puesto de trabajo, estación, estación de trabajo, equipo afectado, stazione di lavoro',
    'máquina, computador, servidor, macchina, postazione, dispositivo, apparaat, werkstation, komputer, komputera, urządzenie, stacja, nazwa hosta',
    'počítač, zařízení, stanice, dator, enhet, värd, datamaskin, maskine, laite, bilgisayar, cihaz, makine, sunucu, számítógép, calculator, máy tính, komputer',
    'хост, хоста, хосте, имя хоста, узел, узле, узла, компьютер, компьютера, компьютере, имя компьютера, устройство, устройстве, устройства',
    'машина, машине, рабочая станция, рабочей станции, сервер, сервере, комп’ютер, комп’ютері, вузол, вузлі, пристрій, пристрої, компютър',
    'ホスト, ホスト名, 端末, 端末名, コンピューター, コンピュータ, コンピューター名, コンピュータ名, デバイス, デバイス名, マシン, マシン名, サーバー, サーバー名, サーバ',
    '主机, 主机名, 设备, 设备名, 设备名称, 计算机, 计算机名, 终端, 服务器, 主機, 主機名稱, 電腦, 電腦名稱, 裝置, 裝置名稱, 伺服器',
    '호스트, 호스트명, 호스트 이름, 컴퓨터, 컴퓨터 이름, 단말, 장치, 기기, 서버, المضيف, اسم المضيف, الجهاز, جهاز, اسم الجهاز, الحاسوب, מחשב, υπολογιστής',
  ),
  'machine-id': phrases(
    'machine id, machine guid, device id, device guid, device uid, mdatp device id, mde device id, computer id, computer guid',
    'host id, endpoint id, sensor id, agent id, connector guid, instance id, asset id',
    'Geräte ID, Gerätekennung, Rechner ID, id de l appareil, identifiant de l appareil, id del dispositivo, id del equipo, id do dispositivo, apparaat id',
    'id устройства, идентификатор устройства, デバイスID, 端末ID, デバイス識別子, 设备ID, 设备标识, 裝置ID, 장치 ID, 기기 ID, معرف الجهاز',
  ),
  'incident-id': phrases(
    'incident, incident id, incident number, incident no, incident nr, incident key, incident reference, incident ref',
    'Vorfall, Vorfall ID, Vorfalls ID, Vorfallnummer, Vorfall Nr, Vorfallsnummer, incidente, id de incidente, número de incidente, numéro d incident',
    'incydent, numer incydentu, hændelse, hendelse, olay no, olay numarası, инцидент, инцидента, инциденту, номер инцидента, інцидент, номер інциденту',
    'インシデント, インシデント番号, インシデントID, 事件编号, 事件ID, 事件號, 事件編號, 인시던트, 인시던트 번호, رقم الحادث, الحادث',
  ),
  'alert-id': phrases(
    'alert id, system alert id, provider alert id, alert number, alert no, alert reference, alert key, alert uid, playbook alert id, alert rrn',
    'Alarm ID, Alarmnummer, Warnungs ID, id alerte, id de l alerte, id de alerta, id alerta, id оповещения, アラートID, アラート番号, 告警ID, 警报ID, 警示ID, 경고 ID',
  ),
  'investigation-id': phrases('investigation id, investigation rrn, investigation number, investigation key'),
};

/** The words that state a role, in front of or behind a noun of `NOUNS`, or alone. */
const ROLE_WORDS: Record<EntityRole, readonly string[]> = {
  source: phrases(
    'source, src, orig h, id orig h, originator, ident src, attacker, Quelle, Quell, Ausgangs, Angreifer, d origine, origine, origen, origem, sorgente, bron, źródło, źródłowy, zdroj',
    'zdrojová, källa, kilde, lähde, kaynak, forrás, источник, источника, джерело, джерела, المصدر, مصدر, πηγή',
    '送信元, 発信元, 接続元, 攻撃元, ソース, 来源, 源, 攻击源, 來源, 출발지, 소스, 공격자',
  ),
  destination: phrases(
    'destination, dest, dst, resp h, id resp h, responder, target, Ziel, de destination, cible, destino, de destino, objetivo, destinazione, doel, bestemming, cel, docelowy, cíl, cílová',
    'hedef, cél, назначение, назначения, цель, призначення, الوجهة, الهدف, 宛先, 送信先, 接続先, ターゲット, 目标, 目的, 目的地, 目標, 목적지, 대상',
  ),
  victim: phrases(
    'victim, affected, impacted, infected, compromised, targeted, Opfer, betroffen, betroffene, betroffener, betroffenes, infizierter, infiziertes',
    'victime, concerné, affecté, víctima, afectado, vítima, afetado, vittima, slachtoffer, ofiara, oběť, kurban, пострадавший, жертва, жертви',
    '被害, 感染, 被害者, 受影响, 受害, 受影響, 피해, الضحية',
  ),
  sender: phrases(
    'sender, mail from, envelope from, header from, from address, return path, reply to, Absender, expéditeur, remitente, remetente, mittente, afzender',
    'nadawca, odesílatel, avsändare, avsender, afsender, gönderen, feladó, отправитель, відправник, 差出人, 送信者, 发件人, 寄件者, 보낸 사람, 발신자, المرسل',
  ),
  recipient: phrases(
    'recipient, recipients, rcpt, rcpt to, delivered to, envelope to, to address, to recipients, Empfänger, destinataire, destinatario, destinatário, ontvanger, odbiorca',
    'příjemce, mottagare, mottaker, modtager, alıcı, címzett, получатель, одержувач, 受信者, 收件人, 收件者, 받는 사람, 수신자, المستلم, المرسل إليه',
  ),
  reporter: phrases(
    'reporter, reported by, forwarded by, submitted by, opened by, raised by, caller id, contact email, assigned to, assignee, service desk, Melder, gemeldet von, weitergeleitet von',
    'signalé par, transféré par, reportado por, encaminhado por, relatado por, informado por, solicitante, reenviado por, aberto por, segnalato da, inoltrato da, gemeld door, zgłoszone przez, zgłaszający',
    'сообщил, заявитель, 報告者, 転送者, 起票者, 报告人, 转发人, 신고자',
  ),
  actor: phrases('actor, performed by, initiated by, perpetrator, Verursacher, 実行者, инициатор'),
};

/** Words that state a role only in front of a noun: the `Subject` of a mail is not an actor. */
const ROLE_PREFIXES: Partial<Record<EntityRole, readonly string[]>> = {
  source: phrases('s, client, ident, origin'),
  destination: phrases('d'),
  actor: phrases('subject, initiating, initiating process, caller'),
};

const WEAK_NAMES = phrases(
  'resource, asset, server, system name, node, poste, enhet, postazione, serveur, servidor, stanice, stacja, сервер, 服务器, サーバー, サーバ, 서버, employee',
);

const MAIL_WORDS: Partial<Record<EntityRole, readonly string[]>> = {
  sender: phrases('from, Von, De, Da, Van, Od, Från, Fra, Kimden, От, От кого, Від'),
  recipient: phrases('to, cc, bcc, An, Kopie, À, A, Para, Aan, Do, Komu, Till, Til, Kime, Кому, Копия, Кому копія'),
};

/** Nouns that a role can stand with, besides the names of hosts and users. They have no named kind. */
const NOUNS = phrases(
  'ip, ips, network address, ip address, ip addresses, ipv4, ipv6, address, addr, addresses, endpoint, email, mail, e mail, email address, mail address, email addr, domain, url, ip v4',
  'IP Adresse, Adresse, adresse ip, dirección, dirección ip, endereço, endereço ip, indirizzo, indirizzo ip, adres, adres ip, adresy, adresa, IP adresi, adresi',
  'адрес, ip адрес, адреса, ip адреса, アドレス, IPアドレス, 地址, IP地址, 位址, IP位址, 주소, IP 주소, عنوان, عنوان ip',
);

/** Words in front of a name that change neither kind nor role. */
const NEUTRAL_WORDS = phrases('logon, current, primary, related, remote, agent, event, reported, local');

/** Keeps the first value of a key, because the order of the lists decides between meanings. */
class FirstWins<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    return this.has(key) ? this : super.set(key, value);
  }
}

/** The names that state a kind alone. */
const KINDS = new FirstWins<NameMeaning>();
for (const kind of NAMED_KINDS) {
  for (const name of NAMES[kind]) {
    KINDS.set(name, WEAK_NAMES.includes(name) ? { kind, weak: true } : { kind });
    KINDS.set(`${name}s`, { kind });
    for (const word of NEUTRAL_WORDS) KINDS.set(word + name, { kind });
  }
}

/** The names of the kinds and the nouns without a kind, each with its place in this order. */
const NOUN_KINDS = [...NAMED_KINDS, null];
const NOUN_RANKS = new FirstWins<number>();
for (const [rank, kind] of NOUN_KINDS.entries()) for (const noun of kind === null ? NOUNS : NAMES[kind]) NOUN_RANKS.set(noun, rank);

/** The words of the roles: alone, in front of a noun and behind one, each with the place of its role. */
const ALONE = new FirstWins<{ readonly roleRank: number; readonly meaning: NameMeaning }>();
const IN_FRONT = new FirstWins<number>();
const BEHIND = new FirstWins<number>();
for (const [roleRank, role] of ENTITY_ROLES.entries()) {
  for (const word of ROLE_WORDS[role]) {
    ALONE.set(word, { roleRank, meaning: { role } });
    IN_FRONT.set(word, roleRank);
    BEHIND.set(word, roleRank);
  }
  for (const word of MAIL_WORDS[role] ?? []) ALONE.set(word, { roleRank, meaning: { role, mailOnly: true } });
  for (const word of ROLE_PREFIXES[role] ?? []) IN_FRONT.set(word, roleRank);
}

const HEADER = new Set(HEADER_NAMES.map(compact));
const longest = (words: Iterable<string>) => Math.max(...[...words].map(({ length }) => length));
const LONGEST_COMBINATION = longest(NOUN_RANKS.keys()) + longest(IN_FRONT.keys());

export function findMeaning(compactName: string): NameMeaning | undefined {
  const kind = KINDS.get(compactName);
  if (kind) return kind;
  const alone = ALONE.get(compactName);
  const combined = findCombination(compactName);
  if (alone && (!combined || alone.roleRank <= combined.roleRank)) return alone.meaning;
  return combined?.meaning ?? (HEADER.has(compactName) ? {} : undefined);
}

/** Splits the name into a word of a role and a noun: all combinations would take long to list. */
function findCombination(name: string): { readonly roleRank: number; readonly meaning: NameMeaning } | null {
  if (name.length > LONGEST_COMBINATION) return null;
  let [roleRank, nounRank] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const consider = (role: number | undefined, noun: number | undefined) => {
    if (role === undefined || noun === undefined || role > roleRank || (role === roleRank && noun > nounRank)) return;
    [roleRank, nounRank] = [role, noun];
  };
  for (let at = 1; at < name.length; at += 1) {
    const [left, right] = [name.slice(0, at), name.slice(at)];
    const [inFront, behind] = [IN_FRONT.get(left), BEHIND.get(right)];
    if (inFront !== undefined) consider(inFront, NOUN_RANKS.get(right));
    if (behind !== undefined) consider(behind, NOUN_RANKS.get(left));
  }
  const role = ENTITY_ROLES[roleRank];
  const kind = NOUN_KINDS[nounRank];
  return role === undefined ? null : { roleRank, meaning: kind ? { kind, role } : { role } };
}

const WEB_OBJECTS = new Set(['http', 'httprequest', 'request', 'url', 'dns', 'tls', 'web']);

/** A field inside more objects than these states nothing about their roles. */
const MAX_ROLE_DISTANCE = 4;

/**
 * By the field's name (`hostName`), or by the owner's name plus the field's (`"host": {"name": …}`). The role can also come
 * from an object further out: `"actor": {"user": {"name": …}}`.
 */
export function meaningOfField(field: Field): NameMeaning {
  // The host of a request is a web site, not a device of the organization.
  const own = WEB_OBJECTS.has(field.owner) ? undefined : findMeaning(field.name);
  const joined = findMeaning(field.owner.replace(/s$/, '') + field.name);
  const kind = own?.kind ?? joined?.kind;
  let role = own?.role ?? joined?.role;
  for (let outer = field.parent, distance = 0; role === undefined && outer && distance < MAX_ROLE_DISTANCE; distance += 1) {
    const meaning = findMeaning(outer.name);
    if (!meaning?.mailOnly) role = meaning?.role;
    outer = outer.parent;
  }
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(role === undefined ? {} : { role }),
    ...(own?.mailOnly ? { mailOnly: true } : {}),
    ...(own?.weak ? { weak: true } : {}),
  };
}

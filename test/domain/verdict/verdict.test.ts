import { describe, expect, it } from 'vitest';
import type { EvidenceDraft, Verdict } from '../../../domain/verdict/evidence.js';
import { FACT_NAMES, FACT_RULES, type Fact, type FactName } from '../../../domain/verdict/fact.js';
import { combineReasons, concludeFrom, LEFT_OUT, rankJudgements, readReasons, selectCounted } from '../../../domain/verdict/verdict.js';

let steps = 0;
function entry(kind: EvidenceDraft['kind'], points: number, title = `${kind} ${points}`, reason = 'because'): EvidenceDraft {
  steps += 1;
  return { step: `step-${steps}`, kind, source: null, title, points, reason, techniques: [] };
}
const finding = (points: number, title?: string, reason?: string) => entry('finding', points, title, reason);
const gap = (title?: string) => entry('gap', 0, title);
const note = (points = 0) => entry('note', points);

const source = (connector: string) => ({ connector, connection: 'main', skill_id: 'Ask' });

/** A finding with the points that the rules give to the fact. */
function fact(name: FactName, more: Omit<Fact, 'name'> & { from?: string } = {}): EvidenceDraft {
  const { from = 'endpoint-detection', ...rest } = more;
  const { points, says } = FACT_RULES[name];
  return { ...finding(points, says), source: source(from), fact: { name, ...rest } };
}

const reputation = (level: 'malicious' | 'suspicious' | 'clean' | 'unknown', about = 'bad.example') =>
  fact(`${level}-reputation`, { about: [about], from: 'threat-intelligence' });

const verdictOf = (...evidence: EvidenceDraft[]) => concludeFrom(evidence).verdict;
const conclude = (...evidence: EvidenceDraft[]) => {
  const { verdict, score } = concludeFrom(evidence);
  return { verdict, score };
};

describe('the verdict from points', () => {
  it.each([
    ['malicious', 'high', [70]],
    ['malicious', 'high', [50, 40]],
    ['malicious', 'high', [100, -20]],
    ['suspicious', 'medium', [30]],
    ['suspicious', 'medium', [69]],
    ['inconclusive', 'low', [29]],
    ['benign', 'informational', [-40]],
    ['benign', 'informational', [20, -60]],
    // Benign needs one decisive finding (-40) or two sources.
    ['inconclusive', 'low', [-39]],
    ['inconclusive', 'low', [-20, -20]],
    // Only a serious finding (45) can make an alert malicious, however many smaller ones there are.
    ['suspicious', 'medium', [40, 40, 40]],
    ['malicious', 'high', [45, 25]],
    // Harmless findings never lower a notable finding (30).
    ['suspicious', 'medium', [30, -100]],
    ['suspicious', 'medium', [45, -60]],
    ['suspicious', 'medium', [55, -15, -15, -15, -15, -15]],
    ['suspicious', 'medium', [40, -40]],
    ['malicious', 'high', [45, 30, -100]],
    // Without a notable finding the sum of the points gives the verdict.
    ['inconclusive', 'low', [29, -1]],
    ['suspicious', 'medium', [20, 20, -5]],
    ['benign', 'informational', [29, -40]],
  ] as const)('is %s (%s) for %j', (verdict, severity, points) => {
    expect(concludeFrom(points.map((each) => finding(each)))).toMatchObject({ verdict, severity });
  });

  it.each([
    ['no evidence at all', []],
    ['notes alone', [note(), note(-50)]],
    ['gaps alone', [gap(), gap()]],
    ['findings without weight', [finding(0)]],
    ['an unknown reputation', [reputation('unknown')]],
  ])('is inconclusive, never benign, for %s', (_, evidence) => {
    expect(concludeFrom(evidence)).toMatchObject({ verdict: 'inconclusive', score: 0, confidence: 0, severity: 'low' });
  });

  it('is benign when two third parties agree, not when one reports it twice', () => {
    const by = (connector: string, points: number): EvidenceDraft => ({ ...finding(points), source: source(connector) });
    expect(verdictOf(by('threat-intelligence', -15), by('endpoint-detection', -10))).toBe('benign');
    expect(verdictOf(by('threat-intelligence', -15), by('threat-intelligence', -15))).toBe('inconclusive');
    expect(verdictOf(by('threat-intelligence', -15), finding(-10))).toBe('benign');
  });

  it('is not benign when part of the alert was not checked', () => {
    const leftOut = { ...gap('Not every link was asked about'), step: 'left-out-links' };
    expect(verdictOf(finding(-60), gap())).toBe('benign');
    expect(verdictOf(finding(-60), leftOut)).toBe('inconclusive');
    expect(verdictOf(finding(80), leftOut)).toBe('malicious');
  });

  it('counts only findings: notes and gaps have no points', () => {
    expect(conclude(finding(40), note(60), entry('gap', 60))).toEqual({ verdict: 'suspicious', score: 40 });
  });

  it('does not depend on the order of the evidence', () => {
    const evidence = [
      ...[finding(40, 'one'), finding(-10, 'two'), gap('three'), finding(25, 'four')],
      ...[reputation('clean'), reputation('malicious'), fact('contact'), fact('open-record-medium')],
    ];
    expect(concludeFrom(evidence.toReversed())).toEqual(concludeFrom(evidence));
  });

  it('does not depend on which of two equal answers arrives first', () => {
    const evidence = [reputation('malicious', 'b.example'), reputation('malicious', 'a.example')].map((each) => ({
      ...each,
      title: `${each.title}: ${each.fact?.about?.[0]}`,
    }));
    expect(concludeFrom(evidence.toReversed())).toEqual(concludeFrom(evidence));
  });
});

describe('facts of one group', () => {
  const listCounted = (...evidence: EvidenceDraft[]) => selectCounted(evidence).map((each) => each.fact?.name ?? each.points);

  it('count once, by the strongest', () => {
    const evidence = [reputation('suspicious', 'a.example'), reputation('malicious', 'b.example'), reputation('malicious', 'c.example')];
    expect(listCounted(...evidence)).toEqual(['malicious-reputation']);
    expect(conclude(...evidence)).toEqual({ verdict: 'suspicious', score: 45 });
    expect(listCounted(fact('contact'), fact('several-indicators'))).toEqual(['contact']);
    expect(listCounted(fact('malware-removed'), fact('malware-ran'), fact('malware-detected'))).toEqual(['malware-ran']);
  });

  it('count beside facts of other groups and findings of the playbook', () => {
    expect(listCounted(reputation('malicious'), fact('malware-removed'), finding(5), finding(5))).toEqual([
      5,
      5,
      'malicious-reputation',
      'malware-removed',
    ]);
  });

  it.each([
    ['a malicious one', [reputation('clean'), reputation('malicious')], ['malicious-reputation']],
    ['an unknown one', [reputation('clean'), reputation('unknown')], []],
    ['none', [reputation('clean', 'a.example'), reputation('clean', 'b.example')], ['clean-reputation']],
  ] as const)('count a clean reputation beside %s correctly', (_, evidence, counted) => {
    expect(listCounted(...evidence)).toEqual(counted);
  });

  it('count each conclusion of a person, and the same record once', () => {
    expect(listCounted(fact('confirmed-benign', { key: '1' }), fact('confirmed-malicious', { key: '2' }))).toHaveLength(2);
    expect(listCounted(fact('confirmed-benign', { key: '1' }), fact('confirmed-benign', { key: '1' }))).toHaveLength(1);
  });

  it('have a group, a text and points within the limits', () => {
    for (const name of FACT_NAMES) {
      const { points, says, group } = FACT_RULES[name];
      expect(Math.abs(points), name).toBeLessThanOrEqual(100);
      expect([says.length > 5, group.length > 2], name).toEqual([true, true]);
    }
  });
});

describe('the facts of an alert', () => {
  it.each([
    ['a malicious reputation and contact of an own machine', [reputation('malicious'), fact('contact')], 'malicious'],
    ['a malicious reputation without contact', [reputation('malicious')], 'suspicious'],
    ['malware that ran', [fact('malware-ran')], 'malicious'],
    ['malware that could not be removed', [fact('malware-not-removed')], 'malicious'],
    ['malware that was detected', [fact('malware-detected')], 'suspicious'],
    ['malware that was removed', [fact('malware-removed')], 'suspicious'],
    ['malware that was removed, and a malicious reputation', [fact('malware-removed'), reputation('malicious')], 'malicious'],
    ['a clean reputation and no open record', [reputation('clean'), fact('no-open-record')], 'benign'],
    ['a clean reputation alone', [reputation('clean')], 'inconclusive'],
    ['an unknown reputation and no open record', [reputation('unknown'), fact('no-open-record')], 'inconclusive'],
    ['a trip that explains the place', [fact('trip-explains', { from: 'travel-booking' })], 'benign'],
    ['no trip that explains the place', [fact('no-trip')], 'suspicious'],
    ['a trip, and a malicious address', [fact('trip-explains'), reputation('malicious')], 'suspicious'],
    ['another open record about the machine', [fact('other-open-record')], 'inconclusive'],
    ['an indicator that the organization allows', [fact('allowed-indicator'), reputation('malicious')], 'suspicious'],
  ] as const)('%s', (_, evidence, verdict) => {
    expect(verdictOf(...evidence)).toBe(verdict);
  });

  describe('an indicator that the organization allows', () => {
    const allowed = fact('allowed-indicator', { about: ['vendor.example'] });

    it('is enough for benign if nothing is notable and no other indicator is unknown', () => {
      expect(concludeFrom([allowed, finding(10)])).toMatchObject({ verdict: 'benign', confidence: 75 });
      expect(verdictOf(allowed, reputation('unknown', 'vendor.example'), reputation('clean', '198.51.100.7'))).toBe('benign');
    });

    it('says nothing about another indicator, and outweighs no notable finding', () => {
      expect(verdictOf(allowed, reputation('unknown', 'new.example'))).toBe('inconclusive');
      expect(verdictOf(allowed, reputation('suspicious', 'vendor.example'))).toBe('suspicious');
      expect(verdictOf(allowed, fact('malware-removed'))).toBe('suspicious');
      expect(verdictOf(allowed, fact('blocked-indicator'))).toBe('suspicious');
      expect(verdictOf(allowed, { ...gap(), step: `${LEFT_OUT}-domains` })).toBe('inconclusive');
    });
  });

  it('lets a decisive finding explain an open record, but nothing else', () => {
    expect(verdictOf(fact('open-record-medium'), fact('trip-explains', { from: 'travel-booking' }))).toBe('benign');
    expect(verdictOf(fact('open-record-high'), fact('trip-explains'))).toBe('inconclusive');
    expect(verdictOf(fact('open-record-medium'), reputation('clean'))).toBe('suspicious');
    expect(verdictOf(fact('malware-removed'), fact('trip-explains'))).toBe('suspicious');
  });
});

/** Epoch seconds. */
const NOON = Date.parse('2026-01-15T12:00:00Z') / 1000;
const HOUR = 3600;

describe('what nobody knows', () => {
  const unknown = (about = 'ws-999') => fact('unknown-subject', { about: [about] });
  const clean = [reputation('clean'), fact('no-open-record')];

  it('is not cleared by clean bystanders', () => {
    expect(verdictOf(...clean)).toBe('benign');
    expect(conclude(...clean, unknown())).toEqual({ verdict: 'inconclusive', score: 0 });
    expect(concludeFrom([...clean, unknown()]).summary).toContain('No third party knows what the alert is about');
    expect(conclude(reputation('malicious'), unknown())).toEqual({ verdict: 'suspicious', score: 45 });
  });

  it('is cleared only by a person whose record names it', () => {
    const conclusion = (...about: string[]) => fact('confirmed-benign', { covers: 'activity', link: 'asset', at: NOON, about });
    expect(verdictOf(conclusion('ws-999'), unknown())).toBe('benign');
    expect(verdictOf(conclusion('ws-014'), unknown())).toBe('inconclusive');
    expect(verdictOf(conclusion('ws-999'), unknown(), unknown('ws-998'))).toBe('inconclusive');
  });

  it('leaves out records about bystanders if the record of the alert does not exist', () => {
    const missing = fact('missing-reference', { about: ['99999'] });
    const bystander: Omit<Fact, 'name'> = { link: 'asset', at: NOON, about: ['ws-014'] };
    for (const name of ['confirmed-malicious', 'confirmed-benign', 'open-record-high'] as const)
      expect(conclude(fact(name, bystander), missing)).toEqual({ verdict: 'inconclusive', score: 0 });
    expect(verdictOf(fact('confirmed-malicious', { ...bystander, covers: 'activity' }), missing)).toBe('malicious');
    expect(verdictOf(reputation('malicious'), fact('contact'), missing)).toBe('malicious');
  });
});

describe('the conclusion of a person', () => {
  const sameActivity = { covers: 'activity', link: 'asset', at: NOON } as const;
  const otherOccasion = { covers: 'entity', link: 'indicator', at: NOON } as const;
  const benign = (more: Omit<Fact, 'name'> = sameActivity) => fact('confirmed-benign', more);
  const malicious = (more: Omit<Fact, 'name'> = sameActivity) => fact('confirmed-malicious', more);

  it('gives the verdict, with the reason first', () => {
    expect(conclude(malicious(), reputation('clean'))).toEqual({ verdict: 'malicious', score: 80 });
    expect(conclude(benign(), fact('open-record-high'))).toEqual({ verdict: 'benign', score: 0 });
    const onBoth = fact('open-record-high', { about: ['ws-014', 'bad.example'] });
    expect(verdictOf(benign({ ...sameActivity, about: ['ws-014', 'bad.example'] }), onBoth)).toBe('benign');
    const test = concludeFrom([fact('confirmed-test', sameActivity), fact('malware-removed', { at: NOON })]);
    expect(test).toMatchObject({ verdict: 'benign', severity: 'informational' });
    expect(test.summary.split('\n')[1]).toBe('-80 A person identified a test: because');
  });

  it('has the more points the more evidence agrees that it was an attack', () => {
    expect(conclude(malicious(), fact('malware-removed'), reputation('clean')).score).toBe(100);
    expect(concludeFrom([malicious(), fact('other-open-record')])).toMatchObject({ score: 90, severity: 'high' });
  });

  describe('that the same activity was harmless', () => {
    const covering = (...about: string[]) => benign({ ...sameActivity, about });

    it('outweighs the malicious reputation of an indicator that its record names', () => {
      expect(verdictOf(covering('bad.example'), reputation('malicious'), fact('contact'))).toBe('benign');
    });

    it('leaves a question open for a malicious indicator that its record does not name', () => {
      expect(conclude(covering('other.example'), reputation('malicious'))).toEqual({ verdict: 'suspicious', score: 45 });
      expect(verdictOf(covering('bad.example'), reputation('malicious'), reputation('malicious', 'worse.example'))).toBe('suspicious');
    });

    it('counts by the answer that names most of the alert, if two answers hold the same record', () => {
      const short = benign({ ...sameActivity, about: ['2041'], key: 'a' });
      const long = benign({ ...sameActivity, about: ['2041', 'bad.example'], key: 'b' });
      expect(verdictOf(short, long, reputation('malicious'))).toBe('benign');
      expect(verdictOf(long, short, reputation('malicious'))).toBe('benign');
    });

    it('counts with what other people wrote about the same alert, in any order', () => {
      const newer = benign({ ...otherOccasion, link: 'asset', at: NOON + HOUR, about: ['worse.example'], key: 'b' });
      const evidence = [covering('bad.example'), newer, reputation('malicious'), reputation('malicious', 'worse.example')];
      expect(verdictOf(...evidence)).toBe('benign');
      expect(verdictOf(...evidence.toReversed())).toBe('benign');
    });

    it('at the same moment on the same machine needs a clean alert, and a second look at a malicious indicator', () => {
      const moment = { covers: 'moment', link: 'asset', at: NOON } as const;
      expect(verdictOf(benign(moment))).toBe('benign');
      expect(verdictOf(benign(moment), reputation('clean'))).toBe('benign');
      expect(verdictOf(benign(moment), reputation('unknown'))).toBe('inconclusive');
      expect(verdictOf(benign(moment), reputation('suspicious'))).toBe('suspicious');
      expect(verdictOf(benign(moment), reputation('malicious'), fact('contact'))).toBe('suspicious');
    });

    it('outweighs suspicious and unknown reputations', () => {
      expect(verdictOf(benign(), reputation('suspicious'), reputation('unknown', 'new.example'))).toBe('benign');
    });

    it.each([
      ['before it', NOON - 10 * HOUR, 'benign'],
      ['at about the same time', NOON + HOUR, 'benign'],
      ['after it', NOON + HOUR + 1, 'suspicious'],
      ['at an unknown time', null, 'suspicious'],
    ] as const)('meets malware that was detected %s', (_, at, verdict) => {
      expect(verdictOf(benign(), fact('malware-detected', { at }))).toBe(verdict);
    });

    it('does not outweigh a serious finding of the playbook', () => {
      expect(verdictOf(benign(), finding(45))).toBe('suspicious');
      expect(verdictOf(benign(), finding(44))).toBe('benign');
    });

    it('does not lower the score of what contradicts it', () => {
      expect(conclude(benign(), fact('malware-ran', { at: NOON + 5 * HOUR }))).toEqual({ verdict: 'malicious', score: 70 });
    });
  });

  describe('about another occasion', () => {
    const judged = (...about: string[]) => benign({ ...otherOccasion, about });

    it('counts if nothing speaks against it', () => {
      expect(verdictOf(judged('fine.example'), reputation('clean', 'fine.example'))).toBe('benign');
      expect(verdictOf(judged('fine.example'))).toBe('benign');
    });

    it('does not clear a malicious reputation, but shows that a person knew the indicator', () => {
      expect(conclude(judged('bad.example'), reputation('malicious'), fact('contact'))).toEqual({ verdict: 'suspicious', score: 45 });
    });

    it('has no weight against a malicious indicator that its record does not name', () => {
      expect(conclude(judged('fine.example'), reputation('malicious'), fact('contact'))).toEqual({ verdict: 'malicious', score: 75 });
    });

    it('does not make an alert benign beside an indicator that nobody knows', () => {
      expect(verdictOf(judged('fine.example'), reputation('unknown', 'new.example'))).toBe('inconclusive');
      expect(verdictOf(judged('new.example'), reputation('unknown', 'new.example'))).toBe('benign');
    });

    it('about a page counts for its domain, unless the domain has a reputation', () => {
      const page = judged('https://code.example/leak');
      expect(verdictOf(page, reputation('unknown', 'https://code.example/leak'), reputation('unknown', 'code.example'))).toBe('benign');
      expect(verdictOf(page, reputation('suspicious', 'code.example'))).toBe('suspicious');
    });

    it('does not outweigh a notable finding that its record does not name', () => {
      const mention = (about: string) => fact('intelligence-mention', { about: [about], at: NOON });
      expect(verdictOf(judged('fine.example'), mention('other.example'))).toBe('suspicious');
      expect(verdictOf(judged('fine.example'), mention('fine.example'))).toBe('benign');
    });
  });

  describe('against that of another person', () => {
    const at = (time: number, link: Fact['link']) => ({ covers: 'activity' as const, at: time, link, key: `${time} ${link}` });

    it.each([
      ['the benign one is newer and as close', at(NOON + 1, 'asset'), at(NOON, 'asset'), 'benign'],
      ['the benign one is newer and closer', at(NOON + 1, 'named'), at(NOON, 'indicator'), 'benign'],
      ['the benign one is newer, but less close', at(NOON + 1, 'asset'), at(NOON, 'named'), 'malicious'],
      ['the malicious one is newer', at(NOON, 'asset'), at(NOON + 1, 'asset'), 'malicious'],
      ['both have the same time', at(NOON, 'asset'), at(NOON, 'asset'), 'malicious'],
    ] as const)('is malicious unless the benign one is newer and as close: %s', (_, harmless, attack, verdict) => {
      expect(verdictOf(benign(harmless), malicious(attack))).toBe(verdict);
      expect(verdictOf(malicious(attack), benign(harmless))).toBe(verdict);
    });

    it('uses the closest, then the newest one of each kind', () => {
      const evidence = [benign(at(NOON + 5, 'asset')), benign(at(NOON + 1, 'named')), malicious(at(NOON + 3, 'named'))];
      expect(verdictOf(...evidence)).toBe('malicious');
      expect(verdictOf(...evidence, benign(at(NOON + 4, 'named')))).toBe('benign');
    });
  });
});

describe('score and confidence', () => {
  it.each([
    [[100, 100, 100], 100],
    [[-100, -100], 0],
    [[60, -20], 60],
  ])('stay within their limits for %j', (points, score) => {
    const conclusion = concludeFrom(points.map((each) => finding(each)));
    expect(conclusion.score).toBe(score);
    expect(conclusion.confidence).toBeGreaterThanOrEqual(0);
    expect(conclusion.confidence).toBeLessThanOrEqual(100);
  });

  const TRIP = fact('trip-explains', { from: 'travel-booking' });
  const person = (name: FactName, isSameActivity: boolean) => fact(name, { covers: isSameActivity ? 'activity' : 'entity', at: NOON });
  it.each([
    ['malicious, one source', [fact('malware-ran')], 75],
    ['malicious, two sources', [fact('malware-ran'), reputation('malicious')], 90],
    ['suspicious, one source', [reputation('malicious')], 60],
    ['suspicious, two sources', [reputation('malicious'), finding(5)], 70],
    ['benign, one source', [TRIP], 70],
    ['benign, two sources', [TRIP, fact('no-open-record')], 80],
    ['inconclusive', [reputation('clean')], 40],
    ['a person about the same activity', [person('confirmed-malicious', true)], 95],
    ['a person about the same harmless activity', [person('confirmed-test', true)], 95],
    ['a person about another occasion', [person('confirmed-benign', false)], 75],
    ['a person who did not name the indicator', [person('confirmed-benign', true), reputation('malicious')], 60],
  ] as const)('the confidence of %s', (_, evidence, confidence) => {
    expect(concludeFrom(evidence).confidence).toBe(confidence);
  });

  it('count only the sources that support the verdict', () => {
    expect(concludeFrom([fact('malware-ran'), fact('trip-explains', { from: 'travel-booking' })]).confidence).toBe(75);
  });

  it('change only the confidence for unanswered calls', () => {
    const conclusions = [0, 1, 2, 10].map((gaps) => concludeFrom([finding(80), ...Array.from({ length: gaps }, () => gap())]));
    expect(conclusions.map(({ confidence }) => confidence)).toEqual([75, 65, 55, 0]);
    expect(new Set(conclusions.map(({ verdict, score }) => `${verdict} ${score}`)).size).toBe(1);
  });
});

describe('the summary', () => {
  it('lists the verdict, then the findings, then the unanswered calls', () => {
    const { summary, reasons } = concludeFrom([
      gap('Mail gateway'),
      finding(10, 'Small'),
      finding(-30, 'Against'),
      note(),
      finding(90, 'Great', 'a known hash'),
      gap('Sandbox'),
    ]);
    expect(summary.split('\n')).toEqual([
      'Malicious (score 100).',
      '+90 Great: a known hash',
      '-30 Against: because',
      '+10 Small: because',
      'Not answered: Mail gateway; Sandbox.',
    ]);
    expect(reasons).toEqual([
      { points: 90, text: 'Great: a known hash' },
      { points: -30, text: 'Against: because' },
      { points: 10, text: 'Small: because' },
      { points: null, text: 'Not answered: Mail gateway; Sandbox.' },
    ]);
    // A row of a version that stored only the summary.
    expect(readReasons({ reasons: null, summary })).toEqual(reasons);
  });

  it('keeps a finding with several lines as one reason', () => {
    const { summary, reasons = null } = concludeFrom([finding(90, 'Great', 'a known hash\n-50 of a test\nmachine')]);
    expect(readReasons({ summary, reasons })).toEqual([{ points: 90, text: 'Great: a known hash\n-50 of a test\nmachine' }]);
  });

  it('combines the reasons of the alerts of a case, the decisive alert first', () => {
    const decisive = {
      alertId: 'A-1',
      summary: 'Malicious (score 80).\n+80 Great: because',
      reasons: [{ points: 80, text: 'Great: because' }],
    };
    const old = { alertId: 'A-2', summary: 'Suspicious (score 40).\n+40 Small: because', reasons: null };
    expect(combineReasons([decisive, old])).toEqual({
      summary: 'Malicious (score 80).\n+80 Great: because\nA-2: Suspicious (score 40).\n+40 Small: because',
      reasons: [
        { points: 80, text: 'Great: because' },
        { points: null, text: 'A-2: Suspicious (score 40).' },
        { points: 40, text: 'Small: because' },
      ],
    });
  });

  it('bounds the reasons of a case with very many alerts', () => {
    const alert = { alertId: 'A-1', summary: 'Malicious (score 80).', reasons: [{ points: 80, text: 'x'.repeat(900) }] };
    expect(combineReasons(Array.from({ length: 500 }, () => alert)).reasons.length).toBeLessThan(25);
  });

  it('names each group once', () => {
    const { reasons } = concludeFrom([reputation('malicious', 'a.example'), reputation('malicious', 'b.example'), reputation('clean')]);
    expect(reasons?.map(({ points }) => points)).toEqual([45]);
  });

  it('starts with the verdict when there is no evidence', () => {
    expect(concludeFrom([]).summary).toMatch(/^Inconclusive/);
  });

  it('keeps the gaps when the reasons are long', () => {
    const { summary } = concludeFrom([
      ...Array.from({ length: 10 }, (_, index) => finding(10 + index, 't'.repeat(300), '🙂'.repeat(2_000))),
      gap('The one that matters'),
    ]);
    expect(summary.length).toBeLessThanOrEqual(10_000);
    expect(summary.isWellFormed()).toBe(true);
    expect(summary).toMatch(/Not answered: The one that matters\.$/);
  });
});

it('the most severe judgement of a case comes first, of equal ones that with the higher score', () => {
  const judge = (verdict: Verdict | null, score: number | null = null) => ({ verdict, score });
  const ranked = [
    judge('malicious', 80),
    judge('malicious', 60),
    judge('suspicious', 90),
    judge('inconclusive'),
    judge('benign'),
    judge(null),
  ];
  expect(rankJudgements(ranked.toReversed())).toEqual(ranked);
});

describe('behaviour that the content states', () => {
  const behaviour = (points: number): EvidenceDraft => ({
    ...finding(points, 'Behaviour'),
    fact: { name: 'behaviour', key: `rule-${points}` },
  });
  const person = (covers: 'activity' | 'moment' | 'entity') =>
    fact('confirmed-benign', { covers, about: ['ws-1'], link: 'asset', at: 1000 });

  it('makes an alert suspicious, and several rules count once', () => {
    expect(conclude(behaviour(35))).toEqual({ verdict: 'suspicious', score: 35 });
    expect(conclude(behaviour(40), behaviour(35), behaviour(30))).toEqual({ verdict: 'suspicious', score: 40 });
  });

  it('makes no alert malicious, whatever else is not serious', () => {
    expect(conclude(behaviour(44), finding(40), fact('open-record-high'))).toEqual({ verdict: 'suspicious', score: 69 });
  });

  it.each(['activity', 'moment'] as const)("does not change the verdict of a person's conclusion about the same %s", (covers) => {
    expect(verdictOf(person(covers), behaviour(40))).toBe('benign');
  });

  it('counts next to a conclusion about another occasion', () => {
    expect(verdictOf(person('entity'))).toBe('benign');
    expect(verdictOf(person('entity'), behaviour(40))).toBe('suspicious');
  });

  it('has no points in an approved test', () => {
    const test = fact('approved-test');
    expect(verdictOf(test, behaviour(40))).toBe('benign');
    expect(selectCounted([test, behaviour(40)]).map((counted) => counted.fact?.name)).toEqual(['approved-test']);
  });

  it.each([
    ['malicious', [45, 25]],
    ['suspicious', [30]],
    ['inconclusive', [10]],
    ['benign', [-40]],
  ] as const)('never lowers the verdict %s', (verdict, points) => {
    const order: readonly Verdict[] = ['benign', 'inconclusive', 'suspicious', 'malicious'];
    const before = points.map((each) => finding(each));
    expect(verdictOf(...before)).toBe(verdict);
    for (const each of [5, 20, 30, 44])
      expect(order.indexOf(verdictOf(...before, behaviour(each)))).toBeGreaterThanOrEqual(order.indexOf(verdict));
  });
});

import type { z } from 'zod';
import { fillText } from '../../domain/playbook/fill-text.js';
import type { QuestionGroup, SkillContext } from '../kit/implement.js';
import { HUNTED, type Hunted, SHOWN_COLUMNS } from './contract/hunting.js';
import type { endpointDetection } from './contract.js';

type Skill = typeof endpointDetection.skills.runAdvancedQuery;
type Context = SkillContext<typeof endpointDetection>;
type Input = z.output<Skill['input']>;
type Answer = z.input<Skill['output']>;
type Row = Answer['items'][number];

const MAX_GROUPED = 40;
/** The rows of all questions. A longer answer may lack rows of some. */
const MAX_ROWS = 2000;

interface Question {
  readonly hunted: Hunted;
  /** The text of the question, without quotes. */
  readonly wanted: string;
}

/** Finds which of the questions of the plans a query is. Other queries are asked alone. */
function readQuestion({ query, max_items }: Input): Question | null {
  const literal = /"(?:[^"\\]|\\.)*"/.exec(query)?.[0];
  if (literal === undefined) return null;
  const wanted: unknown = JSON.parse(literal);
  if (typeof wanted !== 'string') return null;
  const hunted = HUNTED.find((each) => each.most <= max_items && fillText(each.query.replace('{account}', '{item}'), wanted) === query);
  return hunted ? { hunted, wanted } : null;
}

/** Asks with one query where several indicators, or several accounts, were seen. */
export function groupHunting(ask: (input: Input, context: Context) => Promise<Answer>): QuestionGroup<Input, Answer, Context> {
  return {
    maxQuestions: MAX_GROUPED,
    keyOf: (input) => readQuestion(input)?.hunted.query ?? null,
    async ask(inputs, context) {
      const questions = inputs.map(readQuestion);
      const [first] = questions;
      if (!first || questions.includes(null)) return inputs.map(() => null);
      const { hunted } = first;
      const answer = await ask({ query: buildQuery(hunted, questions), max_items: MAX_ROWS }, context);
      const isShared = (row: Row) => questions.some((question) => question !== null && isAbout(row, question));
      // A row that no question finds means that the columns are not those of the query.
      if (answer.cut !== null || answer.items.length >= MAX_ROWS || !answer.items.every(isShared)) return inputs.map(() => null);
      return questions.map((question) => (question === null ? null : pickAnswer(answer, question)));
    },
  };
}

function buildQuery({ tables, columns, operator, also, newestBy }: Hunted, questions: readonly (Question | null)[]): string {
  const wanted = questions.flatMap((question) => (question === null ? [] : [JSON.stringify(question.wanted)]));
  const conditions = wanted.flatMap((literal) =>
    columns.map((column) => [`${column} ${operator} ${literal}`, ...(also === null ? [] : [also])].join(' and ')),
  );
  const result =
    newestBy === null
      ? `project ${[...SHOWN_COLUMNS, ...columns].join(', ')}`
      : `summarize Timestamp = max(Timestamp) by ${[...newestBy, ...columns].join(', ')}`;
  return `${tables} | where ${conditions.join(' or ')} | ${result} | take ${MAX_ROWS}`;
}

function isAbout(row: Row, { hunted: { columns, operator }, wanted }: Question): boolean {
  return columns.some((column) => {
    const value = row[column];
    if (typeof value !== 'string') return false;
    const [text, term] = [value.toLowerCase(), wanted.toLowerCase()];
    return operator === 'has' ? hasTerm(text, term) : text === term;
  });
}

/** As the operator `has`: the term begins and ends with a word. */
function hasTerm(text: string, term: string): boolean {
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + term.length])) return true;
  return false;
}

/** The rows of one question, in the form of its own query. */
function pickAnswer(answer: Answer, question: Question): Answer {
  const { newestBy, most } = question.hunted;
  const columns: readonly string[] = newestBy === null ? SHOWN_COLUMNS : [...newestBy, 'Timestamp'];
  const pick = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));
  const rows = answer.items.filter((row) => isAbout(row, question));
  const items = (newestBy === null ? rows.map(pick) : listNewest(rows.map(pick), newestBy)).slice(0, most);
  return { ...answer, schema: answer.schema.filter(({ name }) => columns.includes(name)), items, total: items.length, cut: null };
}

/** The newest row of each device, newest first. The platform lists a device for each spelling of the account. */
function listNewest(rows: readonly Row[], columns: readonly string[]): Row[] {
  const newest = rows.toSorted((one, other) => String(other['Timestamp']).localeCompare(String(one['Timestamp'])));
  const keyOf = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
  return newest.filter((row, index) => newest.findIndex((other) => keyOf(other) === keyOf(row)) === index);
}

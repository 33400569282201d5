import { describe, expect, it } from 'vitest';
import { findMentions } from '../../../domain/case/mentions.js';

const PEOPLE = ['dana', 'dana vries', 'robin', 'robin.k'];

describe('the mentions of a comment', () => {
  it.each([
    ['@robin', ['robin']],
    ['Ask @Robin, then @dana.', ['dana', 'robin']],
    ['(@robin)', ['robin']],
    ['@dana vries knows', ['dana vries']],
    ['@dana vries and @dana', ['dana', 'dana vries']],
    ['@robin.k is away', ['robin.k']],
    ['robin@robin.example', []],
    ['@robinson', []],
    ['@unknown and robin', []],
    ['', []],
  ])('%j', (comment, expected) => {
    expect(findMentions(comment, PEOPLE)).toEqual(expected);
  });
});

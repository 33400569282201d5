import { describe, expect, it } from 'vitest';
import { describeChannels } from '../../api/routes/notification-channels.js';
import { catalogue } from '../../channels/catalogue.js';
import type { Channels } from '../../channels/kit/define.js';

const contracts: Channels = catalogue;

describe.each(Object.entries(contracts))('the channel %s', (key, { kind, settings, secrets, receiver, fixedByOperator = {} }) => {
  it('is listed under its kind', () => {
    expect(kind).toBe(key);
  });

  it('refuses unknown fields', () => {
    const issues = [settings, secrets].map((schema) => schema.safeParse({ unknown: 'x' }).error?.issues.map(({ code }) => code));
    expect(issues).toEqual([expect.arrayContaining(['unrecognized_keys']), expect.arrayContaining(['unrecognized_keys'])]);
  });

  it('names its receiver by a setting', () => {
    expect(Object.keys(settings.shape)).toContain(receiver);
  });

  it('has a form with a label for each field, and hides only its secrets', () => {
    const form = describeChannels().find((each) => each.kind === kind);
    const fields = [...(form?.settings ?? []), ...(form?.secrets ?? [])];
    const entered = Object.keys(settings.shape).filter((name) => !(name in fixedByOperator));
    expect(fields.map(({ name }) => name)).toEqual([...entered, ...Object.keys(secrets.shape)]);
    for (const { name, label } of fields) expect(label).not.toBe(name);
    expect(form?.settings.some(({ secret }) => secret)).toBe(false);
    expect(form?.secrets.every(({ secret }) => secret)).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { runs } from '../test/random.ts';
import { type Rule, rules } from '../test/rule-table.ts';
import { allCalls } from './calls.ts';
import { fieldTexts, issueText } from './field-texts.ts';
import { account, accountAtLogin, address, name, personName, roleName, systemName, time } from './fields.ts';
import { fill, languages } from './language.ts';

const texts = ({ schema }: Rule, value: unknown) =>
  languages.map((language) => {
    const parsed = schema.safeParse(value, { reportInput: true });
    return parsed.success ? null : parsed.error.issues.map((issue) => issueText(issue, language));
  });

describe.each(rules)('the rule $rule', (rule) => {
  // Spec 9.40, 9.41
  it.each(rule.accepted.map((value) => [value]))('takes %j', (value) => {
    expect(texts(rule, value)).toEqual([null, null]);
  });

  // Spec 5.1, 5.2, 5.5-5.8, 5.10, 5.12-5.24, 5.29-5.31, 5.36, 5.37, 5.39-5.45, 5.47-5.51, 5.54-5.56, 5.59, 5.64
  // Spec 5.68-5.75, 8.22, 8.35, 9.5, 9.9-9.11, 9.13-9.18, 9.34-9.39
  it.each(rule.refused.map((refused) => [refused.value, refused] as const))('refuses %j', (value, { says, limit }) => {
    const expected = languages.map((language) => [fill(fieldTexts[says][language], limit)]);
    expect(texts(rule, value)).toEqual(expected);
  });
});

describe('the rule table', () => {
  const placed = new Set(rules.flatMap(({ places }) => places.map(({ call, field }) => `${call} ${field}`)));

  // Spec 5
  it('names only fields that there are, with the schema that the call has', () => {
    const real = new Set(
      allCalls.flatMap(({ slice, name, call }) =>
        Object.keys(call.input.shape).map((field) => `${slice}.${name} ${field}`),
      ),
    );
    expect([...placed].filter((place) => !real.has(place))).toEqual([]);
  });

  // Spec 5
  it('has a place for every field that a person fills in', () => {
    // Ids are chosen, not typed; preferences are the console's own; the rest has its rule tested elsewhere by the name given.
    const chosen = /Id$/;
    const elsewhere = new Set([
      'account.retrievePassword email',
      'account.retrievePassword phone',
      'account.getVerificationCode type',
      'account.getPhoneCode type',
      'personal.savePreferences preferences',
      // Compared with the account's password, and tested with it: a few wrong ones are slowed down.
      'personal.bindEmail password',
      'personal.bindPhone password',
      // Made by the console, one for all pieces of an import.
      'device.registerDevices importKey',
      // Ids that are chosen from a list.
      'zone.addZone syncTenancies',
      'zone.modifyZone syncTenancies',
      // Held to the product's model, and tested there.
      'control.commandDeviceFunction functionValue',
    ]);
    const missing = allCalls
      // What a device sends is no person's; the protocol's tests have it.
      .filter(({ call }) => call.kind === 'mutation' && !call.forDevices)
      .flatMap(({ slice, name, call }) =>
        Object.keys(call.input.shape)
          .filter((field) => !chosen.test(field))
          .map((field) => `${slice}.${name} ${field}`),
      )
      .filter((place) => !placed.has(place) && !elsewhere.has(place));
    expect(missing).toEqual([]);
  });
});

const within = (allowed: RegExp, min: number, max: number) => (value: string) =>
  value.length >= min && value.length <= max && [...value].every((sign) => allowed.test(sign));

const CHINESE = '\\u3400-\\u4dbf\\u4e00-\\u9fff';

describe('every field that takes a number', () => {
  const takesNumber = (schema: z.ZodType): boolean =>
    ['0', '1', '7', '30', '1883'].some((value) => typeof schema.safeParse(value).data === 'number');
  const numbers = allCalls.flatMap(({ slice, name, call }) =>
    Object.entries(call.input.shape)
      .filter(([, schema]) => takesNumber(schema as z.ZodType))
      .map(([field, schema]) => ({ place: `${slice}.${name} ${field}`, schema: schema as z.ZodType })),
  );

  // Spec 5.12
  it('takes digits alone, and no more than 20', () => {
    expect(numbers.length).toBeGreaterThan(50);
    const wrong = numbers.flatMap(({ place, schema }) =>
      ['x', '7x', '7 7', '0x7', '７', '七', '7'.repeat(21)]
        .filter((value) => schema.safeParse(value).success)
        .map((value) => `${place}: ${value}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('rules over any text at all', () => {
  const near = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.string({ unit: fc.constantFrom(...'aZ09@-_() ,.#/中路㐀éА１　\n\t!😀'), maxLength: 70 }),
  );

  // Spec 5.7, 5.13-5.15, 5.22
  it.each([
    ['name', name(), within(new RegExp(`[${CHINESE}A-Za-z0-9@_()-]`, 'u'), 1, 50)],
    ['role name', roleName(), within(new RegExp(`[${CHINESE}A-Za-z0-9]`, 'u'), 2, 20)],
    ['account', account(), within(/[A-Za-z0-9.@_-]/, 5, 20)],
    ['account at log-in', accountAtLogin(), within(/[A-Za-z0-9.@_-]/, 1, 50)],
    [
      'system name',
      systemName(),
      (value: string) => within(new RegExp(`[${CHINESE}A-Za-z0-9@_() -]`, 'u'), 1, 50)(value.trim()),
    ],
    [
      'address',
      address(),
      (value: string) => {
        const inner = new RegExp(`[${CHINESE}A-Za-z0-9]`, 'u');
        const allowed = new RegExp(`[${CHINESE}A-Za-z0-9 ,.#/-]`, 'u');
        const ends = inner.test(value.at(0) ?? '') && inner.test(value.at(-1) ?? '');
        return ends && within(allowed, 1, 60)(value);
      },
    ],
  ] as const)('%s is exactly its alphabet and length', (_rule, schema, expected) => {
    fc.assert(
      fc.property(near, (value) => schema.safeParse(value).success === expected(value)),
      { numRuns: runs(500, 2_000) },
    );
  });

  // Spec 5.20
  it('a person name is never digits alone and never longer than 20', () => {
    fc.assert(
      fc.property(near, (value) => {
        const { data } = personName().safeParse(value);
        if (data === undefined) return true;
        const { length } = [...data.normalize('NFC')];
        return !/^\d*$/.test(data) && data === data.trim() && length >= 2 && length <= 20;
      }),
      { numRuns: runs(500, 2_000) },
    );
  });

  it('a time comes out as the same moment, in whatever zone and form it was written', () => {
    const moments = fc.date({
      min: new Date('1971-01-01T00:00:00Z'),
      max: new Date('2999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: -12 * 60, max: 14 * 60 }), (moment, offset) => {
        const sign = offset < 0 ? '-' : '+';
        const two = (part: number) => String(Math.floor(Math.abs(part))).padStart(2, '0');
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const written = `${local}${sign}${two(offset / 60)}:${two(offset % 60)}`;
        for (const value of [moment.toISOString(), String(moment.getTime()), written, written.replace('+', ' ')])
          expect(time().parse(value)).toBe(moment.getTime());
        expect(time().safeParse(local).success).toBe(false);
      }),
    );
  });
});

import { type DeviceCodeName, deviceCodes, disconnectReasons, type Language, whyKinds } from '@device-center/contract';
import i18next from 'i18next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceDetail as english } from '../../../i18n/en_US/device-detail.ts';
import { deviceDetail as chinese } from '../../../i18n/zh_CN/device-detail.ts';
import { functionWords } from './function-names.ts';
import { detailText, explainNumber, explainReason, explainWhy } from './reason-texts.ts';

const words = Object.keys(deviceCodes) as DeviceCodeName[];
const HAN = /[\u4e00-\u9fff]/;

/** A text that was never written shows its own key. */
const expectWords = (texts: string[], language: Language) => {
  for (const text of texts) {
    expect(text).not.toMatch(/^$|_|deviceDetail/);
    expect(HAN.test(text), text).toBe(language === 'zh_CN');
  }
};

describe.each([
  ['zh_CN', chinese],
  ['en_US', english],
] as const)('reasons and remedies in %s', (language, texts) => {
  beforeAll(async () => {
    localStorage.setItem('language', language);
    i18next.addResourceBundle(language, 'deviceDetail', texts, true, true);
    await i18next.changeLanguage(language);
  });
  afterAll(async () => {
    await i18next.changeLanguage('en_US');
  });

  const inLanguage = <Result>(read: () => Result): Result => {
    // Each test begins with English in the storage.
    localStorage.setItem('language', language);
    return read();
  };

  it.each(disconnectReasons)('says why a connection ended and what to do: %s', (reason) => {
    const { said, remedy } = inLanguage(() => explainReason(reason));
    expectWords([said, remedy], language);
    expect(said).not.toBe(remedy);
  });

  it.each(words)('says why it was refused and what to do: %s', (word) => {
    const explained = inLanguage(() => explainReason(word));
    expectWords([explained.said, explained.remedy], language);
    expect(inLanguage(() => explainNumber(deviceCodes[word].number, ''))).toEqual(explained);
  });

  it.each(whyKinds)('says why a device is away and what to do: %s', (kind) => {
    const { said, remedy, cause } = inLanguage(() => explainWhy({ kind, cause: '' }));
    expectWords([said, remedy], language);
    expect(cause).toBe('');
  });

  it('prefers the remedy of the cause to that of its kind', () => {
    const refused = inLanguage(() => explainWhy({ kind: 'refused', cause: 'CLOCK' }));
    expect(refused.cause).toBe(deviceCodes.CLOCK[language]);
    expect(refused.remedy).toBe(deviceCodes.CLOCK.remedy[language]);
  });
});

describe('reasons that nobody knows', () => {
  it('shows a word of a newer hub as it is', () => {
    expect(explainReason('somethingNew')).toEqual({ said: 'somethingNew', remedy: '' });
    expect(explainReason('constructor')).toEqual({ said: 'constructor', remedy: '' });
  });
  it("shows the times of a detail in the reader's time", () => {
    const local = new Date(2026, 10, 21, 8, 30, 5);
    expect(detailText(`kicked until ${local.toISOString()}`)).toBe('kicked until 2026-11-21 08:30:05');
  });
  it("leaves a device's own number to its own message", () => {
    expect(explainNumber(70_001, 'door is open')).toEqual({ said: 'door is open', remedy: '' });
    expect(explainNumber(200, '')).toBeUndefined();
  });
});

it('names each function of a message that holds several', () => {
  const nameOf = (signCode: string) => ({ speed: 'Speed', temp: 'Temperature' })[signCode] ?? signCode;
  const words = (functionId: string, value: string) => functionWords({ functionId, value }, nameOf);
  expect(words('*', '{"speed":1,"temp":2,"x":3}')).toMatch(/^Speed\W+Temperature\W+x$/u);
  expect(words('*', '["temp"]')).toBe('Temperature');
  expect(words('speed', '1')).toBe('Speed');
});

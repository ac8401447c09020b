import {
  type DeviceCodeName,
  deviceCodes,
  disconnectReasons,
  type Language,
  offlineReasonKinds,
} from '@device-center/contract';
import i18next from 'i18next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceDetail as english } from '../../../i18n/en_US/device-detail.ts';
import { deviceDetail as chinese } from '../../../i18n/zh_CN/device-detail.ts';
import { functionText } from './function-names.ts';
import { detailText, explainOfflineReason, explainReason, explainResponseCode } from './reason-texts.ts';

const codeNames = Object.keys(deviceCodes) as DeviceCodeName[];
const HAN = /[\u4e00-\u9fff]/;

/** A missing text is shown as its key. */
const expectTexts = (texts: string[], language: Language) => {
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
    // The setup of each test stores English.
    localStorage.setItem('language', language);
    return read();
  };

  it.each(disconnectReasons)('explains a disconnect and its remedy: %s', (reason) => {
    const { text, remedy } = inLanguage(() => explainReason(reason));
    expectTexts([text, remedy], language);
    expect(text).not.toBe(remedy);
  });

  it.each(codeNames)('explains a rejection and its remedy: %s', (codeName) => {
    const explained = inLanguage(() => explainReason(codeName));
    expectTexts([explained.text, explained.remedy], language);
    expect(inLanguage(() => explainResponseCode(deviceCodes[codeName].number, ''))).toEqual(explained);
  });

  it.each(offlineReasonKinds)('explains an offline reason and its remedy: %s', (kind) => {
    const { text, remedy, cause } = inLanguage(() => explainOfflineReason({ kind, cause: '' }));
    expectTexts([text, remedy], language);
    expect(cause).toBe('');
  });

  it('prefers the remedy of the cause to that of the kind', () => {
    const rejected = inLanguage(() => explainOfflineReason({ kind: 'refused', cause: 'CLOCK' }));
    expect(rejected.cause).toBe(deviceCodes.CLOCK[language]);
    expect(rejected.remedy).toBe(deviceCodes.CLOCK.remedy[language]);
  });
});

describe('unknown reasons', () => {
  it('shows a reason of a newer hub as it is', () => {
    expect(explainReason('somethingNew')).toEqual({ text: 'somethingNew', remedy: '' });
    expect(explainReason('constructor')).toEqual({ text: 'constructor', remedy: '' });
  });
  it('shows the times of a detail in local time', () => {
    const local = new Date(2026, 10, 21, 8, 30, 5);
    expect(detailText(`kicked until ${local.toISOString()}`)).toBe('kicked until 2026-11-21 08:30:05');
  });
  it('explains a code that a device defines by its message', () => {
    expect(explainResponseCode(70_001, 'door is open')).toEqual({ text: 'door is open', remedy: '' });
    expect(explainResponseCode(200, '')).toBeUndefined();
  });
});

it('names each function of a message with several', () => {
  const nameOf = (signCode: string) => ({ speed: 'Speed', temp: 'Temperature' })[signCode] ?? signCode;
  const textOf = (functionId: string, value: string) => functionText({ functionId, value }, nameOf);
  expect(textOf('*', '{"speed":1,"temp":2,"x":3}')).toMatch(/^Speed\W+Temperature\W+x$/u);
  expect(textOf('*', '["temp"]')).toBe('Temperature');
  expect(textOf('speed', '1')).toBe('Speed');
});

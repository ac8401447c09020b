import { describe, expect, it } from 'vitest';
import { allCalls } from './calls.ts';
import { successTexts } from './envelope.ts';
import { errors, errorText } from './errors.ts';
import { fieldTexts } from './field-texts.ts';
import { brokerAuthCalls } from './http/broker-auth.ts';
import { syncDeliveryCalls } from './http/sync-delivery.ts';
import { languageOf, type Text } from './language.ts';
import { isDeviceCodeName } from './mqtt/codes.ts';
import { permissions } from './permissions.ts';

const CHINESE = /[\u4e00-\u9fff]/;
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

const everyText: [string, Text][] = [
  ...Object.entries(errors),
  ...Object.entries(fieldTexts),
  ...Object.entries(successTexts),
];

describe('texts', () => {
  // Spec 8, 8.11
  it.each(everyText)('%s has a sentence in each language, with the same parameters', (_key, text) => {
    expect(text.zh_CN).toMatch(CHINESE);
    expect(text.en_US).toMatch(/[A-Za-z]/);
    expect(text.en_US).not.toMatch(CHINESE);
    expect(placeholders(text.zh_CN)).toEqual(placeholders(text.en_US));
  });

  // Spec 8.12
  it("keep the spec's sentences word for word", () => {
    expect(successTexts.done.en_US).toBe('Operation succeeded');
    expect(successTexts.deleted.en_US).toBe('Delete succeeded');
    expect(errors.TOKEN_INVALID.zh_CN).toBe('token失效,请重新登录');
    expect(errors.PHONE_UNBOUND.en_US).toBe('Unbound phone, feature unavailable');
    expect(errors.SELECT_AT_LEAST_ONE.en_US).toBe('Select at least one item');
    expect(errors.TENANCY_HAS_LINKS.en_US).toBe('The tenant has linked applications/users, delete them first');
    expect(fieldTexts.EMAIL.en_US).toBe('please enter a correct email');
    expect(fieldTexts.PHONE.en_US).toBe('format error, fill in the phone number correctly');
    expect(fieldTexts.REQUIRED.en_US).toBe('The input cannot be empty, please re-enter');
    expect(fieldTexts.INVALID.en_US).toBe('Incorrect content input, please re-enter');
    expect(fieldTexts.TOO_FEW.en_US).toMatch(/^select at least one /);
    expect(fieldTexts.TOO_MANY.en_US).toMatch(/^The number of selected items exceeds the limit/);
  });

  it('take their parameters', () => {
    expect(errorText('ROLE_HAS_USERS', 'en_US', { users: 3 })).toBe(
      'The role is assigned to 3 users and cannot be deleted',
    );
    expect(errorText('ROLE_HAS_USERS', 'en_US', { users: 1 })).toBe(
      'The role is assigned to 1 user and cannot be deleted',
    );
    expect(errorText('ROLE_HAS_USERS', 'zh_CN', { users: 3 })).toBe('角色下有 3 个用户，不能删除');
  });
});

it.each(Object.entries(errors))('%s has one of the statuses that the interface knows', (_code, { status }) => {
  expect([400, 401, 403, 404, 409, 412, 413, 415, 416, 429, 500, 503, 504]).toContain(status);
});

// Spec 8
it('only an invalid token is 401: the console takes that for the end of the session', () => {
  const onlyForDevices = (code: string) => isDeviceCodeName(code) && code !== 'TOKEN_INVALID';
  const with401 = Object.entries(errors).filter(([code, { status }]) => status === 401 && !onlyForDevices(code));
  // The console uses no API key, so it never receives API_KEY_INVALID.
  expect(with401.map(([code]) => code)).toEqual(['TOKEN_INVALID', 'API_KEY_INVALID']);
});

// Spec 9.8
it.each([
  [undefined, 'zh_CN'],
  ['', 'zh_CN'],
  ['fr', 'zh_CN'],
  ['en', 'en_US'],
  ['en-US', 'en_US'],
  ['EN-gb;q=0.8', 'en_US'],
  ['fr-FR, en;q=0.5', 'en_US'],
  ['zh-TW,en', 'zh_CN'],
  ['en,zh', 'en_US'],
] as const)('Accept-Language %j is read as %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

describe('the table of calls', () => {
  it('has each verb and address once', () => {
    const addresses = allCalls.flatMap(({ call }) =>
      [call.path, call.alias].flatMap((path) => (path ? [`${call.method} ${path}`] : [])),
    );
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });

  it('leaves exactly the four calls open while the first password stands', () => {
    const open = allCalls.filter(({ call }) => call.duringFirstLogin).map(({ name }) => name);
    expect(open.sort()).toEqual(['firstLoginUpdatePassword', 'getPersonalMessage', 'getRoleMenu', 'loginOut']);
  });

  // Spec 6.14
  it('leaves exactly log-in, password recovery and the calls of devices to strangers', () => {
    const open = allCalls.filter(({ call }) => call.access === 'public').map(({ name }) => name);
    const ofPeople = ['getPhoneCode', 'getVerificationCode', 'login', 'retrievePassword'];
    const ofDevices = ['getConnectBucket', 'loginDevice', 'getFirmwareKey', 'getFirmwareLink', 'downloadFirmware'];
    // These check an API key themselves.
    const withKeys = Object.keys({ ...brokerAuthCalls, ...syncDeliveryCalls });
    expect(open.sort()).toEqual([...ofPeople, ...ofDevices, ...withKeys].sort());
  });

  it('names a permission that some menu gives', () => {
    for (const menus of Object.values(permissions)) expect(menus.length).toBeGreaterThan(0);
  });
});

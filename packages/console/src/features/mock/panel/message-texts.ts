import { MessageType, type MockDetails, systemFunctions, visibleText } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { explainCode } from './failure-texts.ts';
import type { Entry } from './message-entry.ts';
import { functionKinds } from './message-filter.ts';

/** Texts of messages in the user's language. Created once for all lines, because fast scrolling renders many. */
export type Words = {
  device: (deviceId: string) => string;
  /** Names (if known) and sign codes of a message's functions, with control characters made visible. */
  functions: (entry: Entry) => { name: string; code: string }[];
  /** Function type of a message, or its message type if it has no function (spec §9). */
  kind: (entry: Entry) => string;
  flow: (entry: Entry) => string;
  direction: (entry: Entry) => string;
};

const SYSTEM: ReadonlySet<number> = new Set([21, 31]);

const kindText = (): Words['kind'] => {
  const kinds = new Map<number, string>(functionKinds.map((kind) => [kind, i18next.t(`mockPanel:kind_${kind}`)]));
  const types = new Map<number, string>(
    Object.values(MessageType).map((type) => [type, i18next.t(`deviceDetail:type_${type}`)]),
  );
  return ({ functionType, envelope: { type } }) =>
    (functionType === 0 ? types.get(type) : kinds.get(functionType)) ?? String(type);
};

const functionTexts = (details: MockDetails): Words['functions'] => {
  const own = new Map(
    [details, ...details.children].flatMap(({ deviceId, functions }) =>
      functions.map(({ signCode, functionName }) => [`${deviceId} ${signCode}`, functionName] as const),
    ),
  );
  const system = new Map(systemFunctions.map(({ signCode, name }) => [signCode, name[currentLanguage()]]));
  return ({ functionType, codes, envelope: { deviceId } }) =>
    codes.map((code) => {
      const shown = visibleText(code);
      if (functionType === 0) return { code: shown, name: '' };
      const name = SYSTEM.has(functionType) ? system.get(code) : own.get(`${deviceId} ${code}`);
      return { code: shown, name: name ?? '' };
    });
};

export const wordsOf = (details: MockDetails): Words => {
  const devices = new Map([details, ...details.children].map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const flows = [i18next.t('deviceDetail:request'), i18next.t('deviceDetail:response')] as const;
  const directions = { up: i18next.t('mockPanel:direction_up'), down: i18next.t('mockPanel:direction_down') };
  return {
    device: (deviceId) => devices.get(deviceId) ?? deviceId,
    functions: functionTexts(details),
    kind: kindText(),
    flow: ({ envelope: { dataFlow } }) => flows[dataFlow],
    direction: ({ direction }) => directions[direction],
  };
};

/** The error of the response, or why the device ignored the message; '' if neither. */
export const reasonOf = ({ error, ignored }: Entry): string => {
  if (ignored !== undefined) return visibleText(i18next.t('mockPanel:ignored', { reason: ignored }));
  if (!error) return '';
  const { code, summary, detail } = explainCode(error.code, error.message);
  return visibleText([code, summary, detail].filter((part) => part !== '').join(' · '));
};

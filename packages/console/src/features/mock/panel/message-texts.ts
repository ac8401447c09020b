import { MessageType, type MockDetails, systemFunctions, visibleText } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { explainCode } from './failure-texts.ts';
import type { Entry } from './message-entry.ts';
import { functionKinds } from './message-filter.ts';

/** A message in the reader's words. Looked up once for all lines: a fast scroll shows hundreds a second. */
export type Words = {
  device: (deviceId: string) => string;
  /** Of all that a message is about: the name where there is one, and the sign code, with visible control characters. */
  functions: (entry: Entry) => { name: string; code: string }[];
  /** By its function where it has one, else by its message type (spec §9). */
  kind: (entry: Entry) => string;
  flow: (entry: Entry) => string;
  direction: (entry: Entry) => string;
};

const SYSTEM: ReadonlySet<number> = new Set([21, 31]);

const kindWords = (): Words['kind'] => {
  const kinds = new Map<number, string>(functionKinds.map((kind) => [kind, i18next.t(`mockPanel:kind_${kind}`)]));
  const types = new Map<number, string>(
    Object.values(MessageType).map((type) => [type, i18next.t(`deviceDetail:type_${type}`)]),
  );
  return ({ functionType, envelope: { type } }) =>
    (functionType === 0 ? types.get(type) : kinds.get(functionType)) ?? String(type);
};

const functionWords = (details: MockDetails): Words['functions'] => {
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
    functions: functionWords(details),
    kind: kindWords(),
    flow: ({ envelope: { dataFlow } }) => flows[dataFlow],
    direction: ({ direction }) => directions[direction],
  };
};

/** Why the other side said no, or why the device did not obey; '' when neither. */
export const reasonOf = ({ refusal, ignored }: Entry): string => {
  if (ignored !== undefined) return visibleText(i18next.t('mockPanel:ignored', { reason: ignored }));
  if (!refusal) return '';
  const { code, said, detail } = explainCode(refusal.code, refusal.message);
  return visibleText([code, said, detail].filter((part) => part !== '').join(' · '));
};

import type { MockDetails, MockProfile } from '@device-center/contract';
import { unitOf, valueWords } from '../../../model/values/value-texts.ts';
import { type Session, shownUnit } from './mock-session.ts';
import type { Template } from './templates.ts';

export type Reading = { name: string; text: string };

/** What the device shows of itself: what it measures, what it was told, and what it could be told next. */
export type Face = { deviceName: string; measured: Reading; setting: Reading; next: Reading };

const readingOf = ({ functions }: MockProfile, signCode: string, value: unknown): Reading => {
  const entry = functions.find((one) => one.signCode === signCode);
  if (entry?.functionType !== 1) return { name: signCode, text: JSON.stringify(value) };
  const { dataType } = entry.functionDefinition;
  return { name: entry.functionName, text: `${valueWords(dataType, value)}\u00a0${unitOf(dataType)}`.trim() };
};

export const shownSignCode = ({ child, product }: Template): string => (child ?? product).moving[0] ?? '';

export const faceOf = (details: MockDetails, template: Template, session: Session): Face => {
  const shown = shownUnit(details);
  const { signCode, next } = template.command;
  const set = session.present(details.deviceId, signCode);
  const measured = shownSignCode(template);
  return {
    deviceName: shown.deviceName,
    measured: readingOf(shown, measured, session.present(shown.deviceId, measured)),
    setting: readingOf(details, signCode, set),
    next: readingOf(details, signCode, next(set)),
  };
};

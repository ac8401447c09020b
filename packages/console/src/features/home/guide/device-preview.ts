import type { MockDetails, MockProfile } from '@device-center/contract';
import { unitOf, valueText } from '../../../model/values/value-texts.ts';
import { type MockSession, shownProfile } from './mock-session.ts';
import type { Template } from './templates.ts';

export type Reading = { name: string; text: string };

/** The measured value, the current setting and the value that the next command sets. */
export type DevicePreview = { deviceName: string; measured: Reading; setting: Reading; next: Reading };

const readingOf = ({ functions }: MockProfile, signCode: string, value: unknown): Reading => {
  const entry = functions.find((item) => item.signCode === signCode);
  if (entry?.functionType !== 1) return { name: signCode, text: JSON.stringify(value) };
  const { dataType } = entry.functionDefinition;
  return { name: entry.functionName, text: `${valueText(dataType, value)}\u00a0${unitOf(dataType)}`.trim() };
};

export const shownSignCode = ({ child, product }: Template): string => (child ?? product).moving[0] ?? '';

export const previewOf = (details: MockDetails, template: Template, session: MockSession): DevicePreview => {
  const shown = shownProfile(details);
  const { signCode, next } = template.command;
  const set = session.currentValue(details.deviceId, signCode);
  const measured = shownSignCode(template);
  return {
    deviceName: shown.deviceName,
    measured: readingOf(shown, measured, session.currentValue(shown.deviceId, measured)),
    setting: readingOf(details, signCode, set),
    next: readingOf(details, signCode, next(set)),
  };
};

import { MOCK_STEPS_MAX, type MockStep, mockStep } from '@device-center/contract';
import { z } from 'zod';

const FILE_MAX_BYTES = 512 * 1024;
const sequenceFile = z.array(mockStep).min(1).max(MOCK_STEPS_MAX);

export type SequenceRead =
  | { ok: true; steps: MockStep[]; moved: number }
  /** `place`: number of the invalid step, from 1. */
  | { ok: false; problem: 'tooLarge' | 'notJson' | 'notList' | 'notStep'; stepNumber: number };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses a sequence file. Steps of unknown devices become steps of `own`. */
export const readSequence = (text: string, deviceIds: readonly string[], own: string): SequenceRead => {
  if (text.length > FILE_MAX_BYTES) return { ok: false, problem: 'tooLarge', stepNumber: 0 };
  const value = parsed(text);
  if (value === undefined) return { ok: false, problem: 'notJson', stepNumber: 0 };
  const read = sequenceFile.safeParse(value);
  if (!read.success) {
    const [stepNumber] = read.error.issues[0]?.path ?? [];
    return typeof stepNumber === 'number'
      ? { ok: false, problem: 'notStep', stepNumber: stepNumber + 1 }
      : { ok: false, problem: 'notList', stepNumber: 0 };
  }
  const isStrange = ({ deviceId }: MockStep): boolean => !deviceIds.includes(deviceId);
  return {
    ok: true,
    steps: read.data.map((step) => (isStrange(step) ? { ...step, deviceId: own } : step)),
    moved: read.data.filter(isStrange).length,
  };
};

/** Serializes steps independently of the order of their fields. */
const written = (steps: readonly MockStep[]): string =>
  JSON.stringify(steps.map(({ after, deviceId, kind, name, value }) => [after, deviceId, kind, name, value]));

export const isSameSequence = (left: readonly MockStep[], right: readonly MockStep[]): boolean =>
  written(left) === written(right);

export const sequenceText = (steps: readonly MockStep[]): string => `${JSON.stringify(steps, null, 2)}\n`;

import { fieldPath, type Language, type ValueProblem, valueProblemText, valueTexts } from '@device-center/contract';
import { z } from 'zod';

/**
 * Limits of the parts that come from a device or a model, so that the whole fits the detail column of connection
 * events.
 */
const PLACE_MAX = 100;
const PARAM_MAX = 100;

const truncate = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

const storedSchema = z.strictObject({
  key: z.enum(Object.keys(valueTexts) as (keyof typeof valueTexts)[]),
  place: z.string(),
  params: z.record(z.string(), z.string()).optional(),
});

/** The reason of a rejected value as it is stored, without a language. */
export const storedProblem = ({ key, path, params }: ValueProblem): string =>
  JSON.stringify({
    key,
    place: truncate(fieldPath(path), PLACE_MAX),
    ...(params && {
      params: Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, truncate(String(value), PARAM_MAX)]),
      ),
    }),
  } satisfies z.input<typeof storedSchema>);

const sentence = (place: string, text: string): string => `${place}: ${text}`;

/** Text for the device, whose protocol is in English. */
export const problemForDevice = (problem: ValueProblem): string =>
  sentence(fieldPath(problem.path), valueProblemText(problem, 'en_US'));

const PREFIX = '{"key":';

/** Text in the reader's language. Other texts, such as sentences of an earlier version, are returned unchanged. */
export const problemIn = (language: Language, text: string): string => {
  if (!text.startsWith(PREFIX)) return text;
  try {
    const { key, place, params } = storedSchema.parse(JSON.parse(text));
    return sentence(place, valueProblemText({ path: [], key, ...(params ? { params } : {}) }, language));
  } catch {
    return text;
  }
};

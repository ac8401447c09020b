import { type Language, placeOf, type ValueProblem, valueProblemText, valueTexts } from '@device-center/contract';
import { z } from 'zod';

/** Of parts that come from a device or a model; the whole fits where details of connections are kept. */
const PLACE_MAX = 100;
const PARAM_MAX = 100;

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

const stored = z.strictObject({
  key: z.enum(Object.keys(valueTexts) as (keyof typeof valueTexts)[]),
  place: z.string(),
  params: z.record(z.string(), z.string()).optional(),
});

/** Why a value was refused, as it is stored: without a language. */
export const storedProblem = ({ key, path, params }: ValueProblem): string =>
  JSON.stringify({
    key,
    place: cut(placeOf(path), PLACE_MAX),
    ...(params && {
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, cut(String(value), PARAM_MAX)])),
    }),
  } satisfies z.input<typeof stored>);

const sentence = (place: string, text: string): string => `${place}: ${text}`;

/** For the device itself, whose protocol is English. */
export const problemForDevice = (problem: ValueProblem): string =>
  sentence(placeOf(problem.path), valueProblemText(problem, 'en_US'));

const BEGINNING = '{"key":';

/** In the reader's language; what is no stored problem, such as an English sentence of an earlier version, as it is. */
export const problemIn = (language: Language, text: string): string => {
  if (!text.startsWith(BEGINNING)) return text;
  try {
    const { key, place, params } = stored.parse(JSON.parse(text));
    return sentence(place, valueProblemText({ path: [], key, ...(params ? { params } : {}) }, language));
  } catch {
    return text;
  }
};

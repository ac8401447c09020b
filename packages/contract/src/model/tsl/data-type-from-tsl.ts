import { ARRAY_MAX, DEPTH_MAX, STRING_MAX } from '../data-type.ts';
import {
  adaptEnumDescription,
  adaptEnumValues,
  adaptFunctionName,
  adaptRange,
  adaptShortText,
  adaptSize,
} from './adapt.ts';
import type { TakeNote } from './note-texts.ts';
import { isObject, ownOf } from './tsl.ts';

const BOOLEAN_TEXT_MAX = 10;
const UNIT_MAX = 20;
/** Deeper levels are not read: the schema rejects the depth anyway. */
const DEPTH_READ = DEPTH_MAX * 4;

type Values = Record<string, unknown>;
type Reader = (specs: Values, own: Values, place: string, note: TakeNote, depth: number, given: unknown) => Values;

const numeric =
  (type: 'integer' | 'double'): Reader =>
  (specs, _own, place, note) => ({
    type,
    ...adaptRange(type, specs, place, note),
    unit: adaptShortText(specs.unit ?? specs.unitName, UNIT_MAX, `${place}.unit`, note),
  });

/** Our export writes a long as text, with its type and limits in an extension key. */
const text: Reader = (specs, own, place, note) => {
  if (own.type !== 'long')
    return { type: 'string', length: adaptSize(specs.length, STRING_MAX, `${place}.length`, note) };
  const { min, max, step, unit } = own;
  return { type: 'long', min, max, step, unit };
};

const date: Reader = (_specs, _own, place, note) => {
  note(place, 'DATE_AS_LONG');
  return { type: 'long' };
};

const bool: Reader = (specs, _own, place, note) => ({
  type: 'boolean',
  trueText: adaptShortText(specs['1'], BOOLEAN_TEXT_MAX, `${place}.1`, note),
  falseText: adaptShortText(specs['0'], BOOLEAN_TEXT_MAX, `${place}.0`, note),
});

/** Restores the order of enum values: JavaScript sorts an object's integer keys numerically. */
const inOrder = (keys: string[], order: unknown): string[] => {
  const listed = Array.isArray(order) ? new Set<unknown>(order) : new Set<unknown>();
  const known = new Set(keys);
  return listed.size === known.size && keys.every((key) => listed.has(key)) ? ([...listed] as string[]) : keys;
};

const enumeration: Reader = (specs, own, place, note, _depth, given) => {
  if (!isObject(given)) return { type: 'enum', items: given };
  const keys = inOrder(Object.keys(specs), own.order);
  const values = adaptEnumValues(keys, place, note);
  const items = keys.map((key, index) => {
    const value = values[index] ?? key;
    return { value, description: adaptEnumDescription(specs[key], value, `${place}.${key}`, note) };
  });
  return { type: 'enum', items };
};

const struct: Reader = (_specs, _own, place, note, depth, given) => ({
  type: 'json',
  fields: readParams(given, place, note, depth),
});

const array: Reader = (specs, _own, place, note, depth) => ({
  type: 'array',
  element: readDataType(specs.item, `${place}.item`, note, depth + 1),
  count: adaptSize(specs.size, ARRAY_MAX, `${place}.size`, note),
});

const readers = new Map<unknown, Reader>([
  ['int', numeric('integer')],
  ['float', numeric('double')],
  ['double', numeric('double')],
  ['text', text],
  ['date', date],
  ['bool', bool],
  ['enum', enumeration],
  ['struct', struct],
  ['array', array],
]);

export const readDataType = (value: unknown, place: string, note: TakeNote, depth = 1): unknown => {
  if (depth > DEPTH_READ) return null;
  if (!isObject(value)) return value;
  const reader = readers.get(value.type);
  if (!reader) return value;
  const specs = isObject(value.specs) ? value.specs : {};
  return reader(specs, ownOf(value), `${place}.specs`, note, depth, value.specs);
};

/** Reads the fields of a struct, or the parameters of an input or output. */
export const readParams = (value: unknown, place: string, note: TakeNote, depth = 0): unknown => {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown, index) => {
    if (!isObject(entry)) return entry;
    const own = `${place}[${index}]`;
    return {
      identifier: entry.identifier,
      name: adaptFunctionName(entry.name, entry.identifier, `${own}.name`, note),
      dataType: readDataType(entry.dataType, `${own}.dataType`, note, depth + 1),
      required: entry.required ?? true,
    };
  });
};

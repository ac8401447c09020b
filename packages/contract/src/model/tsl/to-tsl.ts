import type { DataType, Param } from '../data-type.ts';
import type { ModelFunction } from '../function-definition.ts';
import type { ModelNote } from '../model-file.ts';
import { createNotes, type TakeNote } from './note-texts.ts';
import {
  OWN,
  TSL_SCHEMA,
  type Tsl,
  type TslDataType,
  type TslEvent,
  type TslParam,
  type TslProperty,
  type TslService,
} from './tsl.ts';

/** Length of a 64-bit integer as text, including its sign. */
const LONG_LENGTH = 20;

const written = (limits: Record<string, string | number | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([key, limit]) => (limit === undefined ? [] : [[key, String(limit)]])),
  );

const noteIdentifier = (identifier: string, place: string, note: TakeNote): void => {
  if (!/^\w+$/.test(identifier)) note(`${place}.identifier`, 'IDENTIFIER_NOT_ASCII', { was: identifier });
};

const enumType = ({ items }: DataType & { type: 'enum' }, place: string, note: TakeNote): TslDataType => {
  for (const { value } of items) {
    if (!/^\d{1,9}$/.test(value)) note(`${place}.specs.${value}`, 'ENUM_VALUE_NOT_INT', { was: value });
  }
  const specs = Object.fromEntries(items.map(({ value, description }) => [value, description]));
  const order = items.map(({ value }) => value);
  const kept = Object.keys(specs).every((value, index) => value === order[index]);
  return { type: 'enum', specs, ...(kept ? {} : { [OWN]: { order } }) };
};

const longType = ({ type, ...limits }: DataType & { type: 'long' }, place: string, note: TakeNote): TslDataType => {
  note(place, 'LONG_AS_TEXT');
  return { type: 'text', specs: written({ length: LONG_LENGTH }), [OWN]: { type, ...written(limits) } };
};

const PLAIN: ReadonlySet<string> = new Set(['integer', 'double', 'string', 'long']);

/** Notes nesting that Alibaba Cloud rejects: an array may contain a struct; other composite types cannot be nested. */
const noteNested = (type: DataType, within: 'struct' | 'array' | null, place: string, note: TakeNote): void => {
  const allowed =
    within === null ||
    PLAIN.has(type.type) ||
    (within === 'array' ? type.type === 'json' : type.type === 'enum' || type.type === 'boolean');
  if (!allowed) note(place, 'NESTED', { was: type.type });
};

const dataTypeOf = (
  type: DataType,
  place: string,
  note: TakeNote,
  within: 'struct' | 'array' | null = null,
): TslDataType => {
  noteNested(type, within, place, note);
  switch (type.type) {
    case 'integer':
    case 'double': {
      const { min, max, step, unit } = type;
      return { type: type.type === 'integer' ? 'int' : 'double', specs: written({ min, max, step, unit }) };
    }
    case 'long':
      return longType(type, place, note);
    case 'enum':
      return enumType(type, place, note);
    case 'boolean':
      return { type: 'bool', specs: written({ 0: type.falseText, 1: type.trueText }) };
    case 'string':
      return { type: 'text', specs: written({ length: type.length }) };
    case 'json':
      return { type: 'struct', specs: paramsOf(type.fields, `${place}.specs`, note, 'struct') };
    case 'array': {
      const item = dataTypeOf(type.element, `${place}.specs.item`, note, 'array');
      return { type: 'array', specs: { ...written({ size: type.count }), item } };
    }
  }
};

const paramsOf = (params: Param[], place: string, note: TakeNote, within: 'struct' | null = null): TslParam[] =>
  params.map(({ identifier, name, dataType, required }, index) => {
    const own = `${place}[${index}]`;
    noteIdentifier(identifier, own, note);
    if (!required) note(`${own}.required`, 'OPTIONAL_LOST');
    return {
      identifier,
      name,
      dataType: dataTypeOf(dataType, `${own}.dataType`, note, within),
      ...(required ? {} : { required }),
    };
  });

type Of<Type extends ModelFunction['functionType']> = ModelFunction & { functionType: Type };

const propertyOf = (entry: Of<1>, place: string, note: TakeNote): TslProperty => ({
  identifier: entry.signCode,
  name: entry.functionName,
  accessMode: entry.functionDefinition.accessMode,
  desc: entry.description,
  required: false,
  dataType: dataTypeOf(entry.functionDefinition.dataType, `${place}.dataType`, note),
});

const eventTypes = { info: 'info', call: 'info', alarm: 'alert' } as const;

const eventOf = (entry: Of<22>, place: string, note: TakeNote): TslEvent => {
  const { eventType, output } = entry.functionDefinition;
  if (eventType === 'call') note(`${place}.type`, 'CALL_AS_INFO');
  return {
    identifier: entry.signCode,
    name: entry.functionName,
    type: eventTypes[eventType],
    desc: entry.description,
    method: `thing.event.${entry.signCode}.post`,
    required: false,
    outputData: paramsOf(output, `${place}.outputData`, note),
    ...(eventType === 'call' ? { [OWN]: { eventType } } : {}),
  };
};

const serviceOf = (entry: Of<32>, place: string, note: TakeNote): TslService => {
  const { callType, input, output } = entry.functionDefinition;
  return {
    identifier: entry.signCode,
    name: entry.functionName,
    callType,
    desc: entry.description,
    method: `thing.service.${entry.signCode}`,
    required: false,
    inputData: paramsOf(input, `${place}.inputData`, note),
    outputData: paramsOf(output, `${place}.outputData`, note),
  };
};

/** Converts a model to TSL. Notes what other platforms lose; extension keys let our own import restore it. */
export const toTsl = (
  functions: ModelFunction[],
  { productKey }: { productKey: string },
): { tsl: Tsl; notes: ModelNote[] } => {
  const { notes, note } = createNotes();
  const listed = <Type extends ModelFunction['functionType'], Entry>(
    functionType: Type,
    list: string,
    entryOf: (entry: Of<Type>, place: string, note: TakeNote) => Entry,
  ): Entry[] =>
    functions
      .filter((entry): entry is Of<Type> => entry.functionType === functionType)
      .map((entry, index) => {
        noteIdentifier(entry.signCode, `${list}[${index}]`, note);
        return entryOf(entry, `${list}[${index}]`, note);
      });
  const tsl: Tsl = {
    schema: TSL_SCHEMA,
    profile: { productKey, version: '1.0' },
    properties: listed(1, 'properties', propertyOf),
    events: listed(22, 'events', eventOf),
    services: listed(32, 'services', serviceOf),
    [OWN]: { order: functions.map(({ signCode }) => signCode) },
  };
  return { tsl, notes };
};

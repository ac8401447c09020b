import type { ModelNote } from '../model-file.ts';
import { adaptDescription, adaptFunctionName } from './adapt.ts';
import { readDataType, readParams } from './data-type-from-tsl.ts';
import { createNotes, type TakeNote } from './note-texts.ts';
import { isObject, ownOf } from './tsl.ts';

type Values = Record<string, unknown>;

export const isTsl = (value: unknown): boolean =>
  isObject(value) && !('functions' in value) && ['properties', 'events', 'services'].some((key) => key in value);

/** Alibaba's calls to report, set and get properties, which every TSL lists; they are not functions of the product. */
const propertyCalls = new Map([
  ['events post', 'thing.event.property.post'],
  ['services set', 'thing.service.property.set'],
  ['services get', 'thing.service.property.get'],
]);

const isPropertyCall = (list: string, entry: unknown): boolean => {
  if (!isObject(entry) || typeof entry.identifier !== 'string') return false;
  const method = propertyCalls.get(`${list} ${entry.identifier}`);
  return method !== undefined && (entry.method === undefined || entry.method === method);
};

const propertyOf = (entry: Values, place: string, note: TakeNote): Values => ({
  accessMode: entry.accessMode,
  dataType: readDataType(entry.dataType, `${place}.dataType`, note),
});

const eventTypeOf = (entry: Values, place: string, note: TakeNote): unknown => {
  if (entry.type === 'info') return ownOf(entry).eventType === 'call' ? 'call' : 'info';
  if (entry.type === 'error') note(`${place}.type`, 'ERROR_AS_ALARM');
  return entry.type === 'error' || entry.type === 'alert' ? 'alarm' : entry.type;
};

/** Added to a service or event without parameters: TSL allows that, our model does not. */
const ADDED = {
  identifier: 'result',
  name: 'result',
  dataType: { type: 'string', length: 100 },
  required: false,
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const eventOf = (entry: Values, place: string, note: TakeNote): Values => {
  const eventType = eventTypeOf(entry, place, note);
  const output = readParams(entry.outputData ?? [], `${place}.outputData`, note);
  if (!isEmptyList(output)) return { eventType, output };
  note(`${place}.outputData`, 'PARAMETER_ADDED', { is: ADDED.identifier });
  return { eventType, output: [ADDED] };
};

const serviceOf = (entry: Values, place: string, note: TakeNote): Values => {
  const input = readParams(entry.inputData ?? [], `${place}.inputData`, note);
  const output = readParams(entry.outputData ?? [], `${place}.outputData`, note);
  if (!isEmptyList(input) || !isEmptyList(output)) return { callType: entry.callType, input, output };
  note(`${place}.outputData`, 'PARAMETER_ADDED', { is: ADDED.identifier });
  return { callType: entry.callType, input, output: [ADDED] };
};

const lists = [
  { list: 'properties', functionType: 1, definitionOf: propertyOf },
  { list: 'events', functionType: 22, definitionOf: eventOf },
  { list: 'services', functionType: 32, definitionOf: serviceOf },
] as const;

const noteBlock = (entry: Values, place: string, note: TakeNote): void => {
  const block = entry.functionBlockId;
  if (typeof block === 'string' && block !== '' && block !== 'default') {
    note(place === '' ? 'functionBlockId' : `${place}.functionBlockId`, 'BLOCK_DROPPED', { was: block });
  }
};

const readList = (tsl: Values, { list, functionType, definitionOf }: (typeof lists)[number], note: TakeNote) => {
  const entries = tsl[list] ?? [];
  // A value that is not a list is passed on, so that the schema rejects it.
  if (!Array.isArray(entries)) return [entries];
  return entries.flatMap((entry: unknown, index) => {
    if (isPropertyCall(list, entry)) return [];
    if (!isObject(entry)) return [entry];
    const place = `${list}[${index}]`;
    if (entry.required === true) note(`${place}.required`, 'REQUIRED_DROPPED');
    noteBlock(entry, place, note);
    return [
      {
        signCode: entry.identifier,
        functionName: adaptFunctionName(entry.name, entry.identifier, `${place}.name`, note),
        functionType,
        description: adaptDescription(entry.desc, `${place}.desc`, note),
        functionDefinition: definitionOf(entry, place, note),
      },
    ];
  });
};

/** Restores the order of functions, which TSL splits into three lists; our export includes it. */
const inOrder = (functions: unknown[], order: unknown): unknown[] => {
  if (!Array.isArray(order)) return functions;
  const places = new Map(order.map((signCode: unknown, index) => [signCode, index]));
  const orderOf = (entry: unknown): number =>
    (isObject(entry) ? places.get(entry.signCode) : undefined) ?? order.length;
  return functions.toSorted((one, other) => orderOf(one) - orderOf(other));
};

/** Converts TSL to functions, which the schema validates afterwards. Notes every adaptation. */
export const fromTsl = (tsl: unknown): { functions: unknown[]; notes: ModelNote[] } => {
  if (!isObject(tsl)) return { functions: [], notes: [] };
  const { notes, note } = createNotes();
  noteBlock(tsl, '', note);
  const functions = lists.flatMap((list) => readList(tsl, list, note));
  return { functions: inOrder(functions, ownOf(tsl).order), notes };
};

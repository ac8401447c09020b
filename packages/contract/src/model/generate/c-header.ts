import type { Param } from '../data-type.ts';
import type { ModelFunction } from '../function-definition.ts';
import { cString, prefixOf } from './c-names.ts';
import { type CFile, declareProperty, declareStruct, define, remark } from './c-types.ts';
import { accessLabels, createNameAllocator, eventLabels } from './names.ts';

const kindOf = (entry: ModelFunction): string => {
  if (entry.functionType === 1) return `Property, ${accessLabels[entry.functionDefinition.accessMode]}`;
  if (entry.functionType === 22) return `Event, ${eventLabels[entry.functionDefinition.eventType]}`;
  return `Service, ${entry.functionDefinition.callType}`;
};

const declareParams = (file: CFile, params: Param[], signCode: string, list: 'input' | 'output'): void => {
  // C does not allow a struct without members.
  if (params.length === 0) file.lines.push(...remark(`No ${list}.`));
  else declareStruct(file, params, [signCode, list]);
};

const declareFunction = (file: CFile, entry: ModelFunction): void => {
  file.lines.push('', ...remark(kindOf(entry), entry.functionName, entry.description));
  define(file, [entry.signCode], 'code', cString(entry.signCode));
  if (entry.functionType === 1) {
    declareProperty(file, entry.functionDefinition.dataType, [entry.signCode]);
    return;
  }
  if (entry.functionType === 32) declareParams(file, entry.functionDefinition.input, entry.signCode, 'input');
  declareParams(file, entry.functionDefinition.output, entry.signCode, 'output');
};

/**
 * Generates a C99 header for device code: identifiers and limits as macros, values as types. Every name starts with the
 * model's name, so that two headers can be included together.
 */
export const cHeaderOf = (functions: ModelFunction[], name: string): string => {
  const prefix = prefixOf(name);
  const file: CFile = { lines: [], unique: createNameAllocator(), prefix };
  const guard = file.unique(`${prefix}_MODEL_H`.toUpperCase());
  for (const entry of functions) declareFunction(file, entry);
  return `${[
    ...remark(
      name,
      'Values as devices and hub exchange them. Texts are UTF-8 and end in a NUL.',
      'A long is a text of digits on the wire, an enum the text in its _VALUES.',
    ),
    `#ifndef ${guard}`,
    `#define ${guard}`,
    '',
    '#include <stdbool.h>',
    '#include <stdint.h>',
    ...file.lines,
    '',
    '#endif',
  ].join('\n')}\n`;
};

import type { DataType, Param } from '../data-type.ts';
import type { ModelFunction } from '../function-definition.ts';
import { accessLabels, createNameAllocator, eventLabels, inComment } from './names.ts';

// CJK ranges that all current compilers accept in identifiers.
const CHINESE = '\\u3400-\\u4db5\\u4e00-\\u9fcc';
const BARE_KEY = new RegExp(`^[A-Za-z_${CHINESE}][A-Za-z0-9_${CHINESE}]*$`);
const NOT_IN_NAMES = new RegExp(`[^A-Za-z0-9_${CHINESE}]+`, 'gu');

const keyOf = (identifier: string): string =>
  BARE_KEY.test(identifier) ? identifier : `'${identifier.replace(/['\\]/g, '\\$&')}'`;

/** `air-conditioner` → `AirConditioner`. */
const typeName = (text: string): string => {
  const words = text.split(NOT_IN_NAMES).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(joined) ? `_${joined}` : joined || 'Model';
};

const limitsOf = (type: DataType): string[] => {
  switch (type.type) {
    case 'integer':
    case 'long':
    case 'double': {
      const { min, max, step, unit } = type;
      return [
        type.type === 'double' ? '' : type.type === 'long' ? '64-bit whole number as text' : 'whole number',
        min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`,
        step === undefined ? '' : `step ${step}`,
        unit === undefined ? '' : `unit ${unit}`,
      ];
    }
    case 'boolean':
      return [
        type.trueText === undefined ? '' : `true: ${type.trueText}`,
        type.falseText === undefined ? '' : `false: ${type.falseText}`,
      ];
    case 'string':
      return [`at most ${type.length} characters`];
    case 'array':
      return [`at most ${type.count} entries`, ...limitsOf(type.element).map((limit) => limit && `each: ${limit}`)];
    case 'enum':
    case 'json':
      return [];
  }
};

const comment = (indent: string, ...sentences: string[]): string[] => {
  const lines = sentences.map(inComment).filter((line) => line !== '');
  if (lines.length === 0) return [];
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
};

const about = (type: DataType): string =>
  limitsOf(type)
    .filter((limit) => limit !== '')
    .join(', ');

const objectType = (params: Param[], indent: string): string => {
  if (params.length === 0) return 'Record<string, never>';
  const inner = `${indent}  `;
  const lines = params.flatMap(({ identifier, name, dataType, required }) => [
    ...comment(inner, name, about(dataType)),
    `${inner}${keyOf(identifier)}${required ? '' : '?'}: ${typeOf(dataType, inner)};`,
  ]);
  return ['{', ...lines, `${indent}}`].join('\n');
};

const typeOf = (type: DataType, indent: string): string => {
  switch (type.type) {
    case 'integer':
    case 'double':
      return 'number';
    case 'long':
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'enum': {
      const inner = `${indent}  `;
      const items = type.items.flatMap(({ value, description }) => [
        ...comment(inner, description),
        `${inner}| '${value}'`,
      ]);
      return `\n${items.join('\n')}`;
    }
    case 'json':
      return objectType(type.fields, indent);
    case 'array':
      return `Array<${typeOf(type.element, indent)}>`;
  }
};

const heading = ({ functionName, description }: ModelFunction, ...more: string[]): [string, ...string[]] => [
  functionName,
  description,
  ...more,
];

const propertyLines = (entry: ModelFunction & { functionType: 1 }): string[] => {
  const { accessMode, dataType } = entry.functionDefinition;
  return [
    ...comment('  ', ...heading(entry, accessLabels[accessMode], about(dataType))),
    `  ${accessMode === 'r' ? 'readonly ' : ''}${keyOf(entry.signCode)}: ${typeOf(dataType, '  ')};`,
  ];
};

const interfaceOf = (name: string, members: string[]): string =>
  members.length === 0 ? `export interface ${name} {}` : [`export interface ${name} {`, ...members, '}'].join('\n');

/** Generates TypeScript types of a model's values as they are in messages, with limits and labels as comments. */
export const typescriptOf = (functions: ModelFunction[], name: string): string => {
  const unique = createNameAllocator();
  const base = typeName(name);
  const [properties, services, events] = ['Properties', 'Services', 'Events'].map((word) => unique(`${base}${word}`));
  const declared: string[] = [];
  const declare = (entry: ModelFunction, part: string, params: Param[]): string => {
    const type = unique(`${typeName(entry.signCode)}${part}`);
    const doc = comment('', ...heading(entry));
    declared.push([...doc, `export type ${type} = ${objectType(params, '')};`].join('\n'));
    return type;
  };
  const members = { 1: [] as string[], 22: [] as string[], 32: [] as string[] };
  for (const entry of functions) {
    const key = keyOf(entry.signCode);
    if (entry.functionType === 1) members[1].push(...propertyLines(entry));
    else if (entry.functionType === 22) {
      const { eventType, output } = entry.functionDefinition;
      const doc = comment('  ', ...heading(entry, eventLabels[eventType]));
      members[22].push(...doc, `  ${key}: ${declare(entry, 'Event', output)};`);
    } else {
      const { callType, input, output } = entry.functionDefinition;
      const [taken, given] = [declare(entry, 'Input', input), declare(entry, 'Output', output)];
      const doc = comment('  ', ...heading(entry, callType));
      members[32].push(...doc, `  ${key}: { input: ${taken}; output: ${given} };`);
    }
  }
  return `${[
    comment('', name).join('\n'),
    interfaceOf(properties ?? '', members[1]),
    ...declared,
    interfaceOf(services ?? '', members[32]),
    interfaceOf(events ?? '', members[22]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    // A union type starts on its own line: remove the trailing space before it.
    .replace(/ +$/gm, '')}\n`;
};

import type { DataType, Param } from '../data-type.ts';
import { ascii, cDouble, cInteger, cString, memberName } from './c-names.ts';
import { createNameAllocator, inComment } from './names.ts';

/** The parts of a declaration before and after the name: `char` name `[41]`. */
type CType = { before: string; behind: string };

/** The generated lines, and the names in use. */
export type CFile = { lines: string[]; unique: (wanted: string) => string; prefix: string };

/** A UTF-8 character has at most four bytes; plus the terminating NUL. */
const bytesOf = (length: number): number => length * 4 + 1;

const upper = (file: CFile, ...words: string[]): string =>
  [file.prefix, ...words.map(ascii)].join('_').toUpperCase().replace(/_{2,}/g, '_');
const lower = (file: CFile, ...words: string[]): string =>
  [file.prefix, ...words.map(ascii)].join('_').replace(/_{2,}/g, '_');

export const define = (file: CFile, path: string[], word: string, text: string): void => {
  file.lines.push(`#define ${file.unique(upper(file, ...path, word))} ${text}`);
};

export const remark = (...sentences: string[]): string[] => {
  // The trigraph ??/ is a backslash; at the end of a line it would join the next line.
  const lines = sentences.map((text) => inComment(text).replace(/\?(?=\?)/g, '? ')).filter((line) => line !== '');
  if (lines.length === 0) return [];
  return lines.length === 1 ? [`/* ${lines[0]} */`] : ['/*', ...lines.map((line) => ` * ${line}`), ' */'];
};

const limits = (file: CFile, type: DataType, path: string[]): void => {
  switch (type.type) {
    case 'integer':
    case 'long':
    case 'double': {
      const { min, max, step, unit } = type;
      for (const [word, limit] of Object.entries({ min, max, step })) {
        if (limit === undefined) continue;
        const integer = type.type === 'long' ? 'INT64_C' : 'INT32_C';
        define(file, path, word, type.type === 'double' ? cDouble(Number(limit)) : cInteger(integer, limit));
      }
      if (unit !== undefined) define(file, path, 'unit', cString(unit));
      return;
    }
    case 'string':
      define(file, path, 'max_characters', String(type.length));
      return;
    case 'array':
      define(file, path, 'max_count', String(type.count));
      return;
    case 'enum':
    case 'boolean':
    case 'json':
      return;
  }
};

const declareEnum = (file: CFile, { items }: DataType & { type: 'enum' }, path: string[]): CType => {
  const type = file.unique(lower(file, ...path, 't'));
  const values = file.unique(upper(file, ...path, 'values'));
  define(file, path, 'count', String(items.length));
  const texts = items.map(({ value }) => cString(value)).join(', ');
  file.lines.push(...remark('The texts used in messages, by index'), `#define ${values} { ${texts} }`);
  file.lines.push(
    'typedef enum {',
    ...items.map(({ value, description }, index) => {
      const constant = `${file.unique(upper(file, ...path, value))} = ${index}`;
      return `    ${constant}${index < items.length - 1 ? ',' : ''} ${remark(description).join('')}`.trimEnd();
    }),
    `} ${type};`,
  );
  return { before: type, behind: '' };
};

const declareArray = (file: CFile, type: DataType & { type: 'array' }, path: string[]): CType => {
  const element = typeOf(file, type.element, [...path, 'item']);
  const name = file.unique(lower(file, ...path, 't'));
  file.lines.push(
    'typedef struct {',
    '    uint16_t count;',
    `    ${element.before} items[${type.count}]${element.behind};`,
    `} ${name};`,
  );
  return { before: name, behind: '' };
};

/** Labels of the two values of a boolean. */
const textsOf = (type: DataType): string =>
  type.type === 'boolean' ? [type.trueText, type.falseText].filter(Boolean).join(' / ') : '';

/** Declares parameters or fields as a struct. An optional one is preceded by a `has_` flag. */
export const declareStruct = (file: CFile, params: Param[], path: string[], ...about: string[]): CType => {
  const types = params.map(({ identifier, dataType }) => typeOf(file, dataType, [...path, identifier]));
  const name = file.unique(lower(file, ...path, 't'));
  const unique = createNameAllocator();
  const members = params.flatMap(({ identifier, name: title, dataType, required }, index) => {
    const { before, behind } = types[index] ?? { before: 'char', behind: '' };
    const member = unique(memberName(identifier));
    const key = member === identifier ? '' : `, "${identifier}"`;
    const texts =
      dataType.type === 'boolean' ? [dataType.trueText, dataType.falseText].filter(Boolean).join(' / ') : '';
    const note = remark(`${title}${key}${texts && `, ${texts}`}`).join('');
    return [
      ...(required ? [] : [`    bool ${unique(`has_${member}`)};`]),
      `    ${before} ${member}${behind}; ${note}`.trimEnd(),
    ];
  });
  file.lines.push(...remark(...about), 'typedef struct {', ...members, `} ${name};`);
  return { before: name, behind: '' };
};

/** Emits the declarations that a type needs, and returns how to reference it. */
const typeOf = (file: CFile, type: DataType, path: string[]): CType => {
  limits(file, type, path);
  switch (type.type) {
    case 'integer':
      return { before: 'int32_t', behind: '' };
    case 'long':
      return { before: 'int64_t', behind: '' };
    case 'double':
      return { before: 'double', behind: '' };
    case 'boolean':
      return { before: 'bool', behind: '' };
    case 'string':
      return { before: 'char', behind: `[${bytesOf(type.length)}]` };
    case 'enum':
      return declareEnum(file, type, path);
    case 'json':
      return declareStruct(file, type.fields, path);
    case 'array':
      return declareArray(file, type, path);
  }
};

/** Declares a type with the property's name, for any data type. */
export const declareProperty = (file: CFile, type: DataType, path: string[]): void => {
  const { before, behind } = typeOf(file, type, path);
  if (type.type === 'enum' || type.type === 'json' || type.type === 'array') return;
  file.lines.push(...remark(textsOf(type)), `typedef ${before} ${file.unique(lower(file, ...path, 't'))}${behind};`);
};

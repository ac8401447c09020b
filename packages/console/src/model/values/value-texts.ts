import { type DataType, type Param, visibleText } from '@device-center/contract';
import i18next from 'i18next';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withUnit = (type: DataType, value: unknown): string => `${valueWords(type, value)} ${unitOf(type)}`.trim();

/** "Red 255, Green 214": what the model does not know keeps its key. */
const fieldWords = (fields: readonly Param[], value: Record<string, unknown>): string =>
  Object.entries(value)
    .map(([key, part]) => {
      const field = fields.find(({ identifier }) => identifier === key);
      return field ? `${field.name} ${withUnit(field.dataType, part)}` : `${visibleText(key)} ${JSON.stringify(part)}`;
    })
    .join(i18next.t('common:listSeparator'));

const special = (type: DataType, value: unknown): string | undefined => {
  if (type.type === 'boolean' && value === true) return type.trueText ?? i18next.t('model:yes');
  if (type.type === 'boolean' && value === false) return type.falseText ?? i18next.t('model:no');
  if (type.type === 'enum') return type.items.find((item) => item.value === value)?.description;
  // What a sensor measures may have more digits than anybody reads.
  if (type.type === 'double' && typeof value === 'number') return String(Number(value.toPrecision(8)));
  if (type.type === 'json' && isObject(value)) return fieldWords(type.fields, value);
  if (type.type === 'array' && Array.isArray(value))
    return value.map((part) => withUnit(type.element, part)).join(i18next.t('common:listSeparator'));
  return undefined;
};

/** A value as people read it: a number without its unit, an enumeration by its description, a flag by its words. */
export const valueWords = (type: DataType, value: unknown): string =>
  special(type, value) ?? visibleText(typeof value === 'string' ? value : JSON.stringify(value));

export const unitOf = (type: DataType): string => ('unit' in type ? (type.unit ?? '') : '');

const COORDINATES = [/(^|_)(lat|lng|lon)$/i, /[a-z\d](Lat|Lng|Lon)$/, /(latitude|longitude)$/i];

/** A location is a point on a map: the curve of one coordinate says nothing. */
export const hasCurve = (signCode: string, { type }: DataType): boolean =>
  ['integer', 'long', 'double', 'boolean'].includes(type) && !COORDINATES.some((ending) => ending.test(signCode));

/** Where a value stands in a curve; what is no number has no place there. */
export const plotted = (type: DataType, value: unknown): number | undefined => {
  if (type.type === 'boolean' && typeof value === 'boolean') return value ? 1 : 0;
  if ((type.type === 'integer' || type.type === 'double') && typeof value === 'number') return value;
  if (type.type === 'long' && typeof value === 'string') return Number(value);
  return undefined;
};

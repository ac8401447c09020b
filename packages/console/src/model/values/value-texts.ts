import { type DataType, type Param, visibleText } from '@device-center/contract';
import i18next from 'i18next';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withUnit = (type: DataType, value: unknown): string => `${valueText(type, value)} ${unitOf(type)}`.trim();

/** "Red 255, Green 214". Fields that the model does not define are shown with their key. */
const fieldsText = (fields: readonly Param[], value: Record<string, unknown>): string =>
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
  // Measured values may have more digits than are useful.
  if (type.type === 'double' && typeof value === 'number') return String(Number(value.toPrecision(8)));
  if (type.type === 'json' && isObject(value)) return fieldsText(type.fields, value);
  if (type.type === 'array' && Array.isArray(value))
    return value.map((part) => withUnit(type.element, part)).join(i18next.t('common:listSeparator'));
  return undefined;
};

/** Readable text of a value: a number without its unit, an enum item by its description, a boolean by its text. */
export const valueText = (type: DataType, value: unknown): string =>
  special(type, value) ?? visibleText(typeof value === 'string' ? value : JSON.stringify(value));

export const unitOf = (type: DataType): string => ('unit' in type ? (type.unit ?? '') : '');

const COORDINATES = [/(^|_)(lat|lng|lon)$/i, /[a-z\d](Lat|Lng|Lon)$/, /(latitude|longitude)$/i];

/** Whether a chart of the values is useful. A location is a point on a map, so a single coordinate has no curve. */
export const hasCurve = (signCode: string, { type }: DataType): boolean =>
  ['integer', 'long', 'double', 'boolean'].includes(type) && !COORDINATES.some((ending) => ending.test(signCode));

/** The value as a number for a chart; undefined if it is not a number or boolean. */
export const plotted = (type: DataType, value: unknown): number | undefined => {
  if (type.type === 'boolean' && typeof value === 'boolean') return value ? 1 : 0;
  if ((type.type === 'integer' || type.type === 'double') && typeof value === 'number') return value;
  if (type.type === 'long' && typeof value === 'string') return Number(value);
  return undefined;
};

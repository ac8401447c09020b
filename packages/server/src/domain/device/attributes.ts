import {
  attributeKind,
  type DeviceAttribute,
  type DeviceAttributes,
  deviceAttributeNames,
  mapAttributes,
} from '@device-center/contract';
import { foldCase } from '../../platform/fold-case.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

export type AttributeColumns = { [Attribute in DeviceAttribute as Snake<Attribute>]: string };

const columnOf = (name: DeviceAttribute): keyof AttributeColumns =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof AttributeColumns;

type GivenAttributes = { [Attribute in DeviceAttribute]?: string | undefined };

/** Columns of the attributes that are given. */
export const changedAttributeColumns = (
  attributes: GivenAttributes,
): Partial<AttributeColumns & { mac_key: string }> => {
  const given = deviceAttributeNames.flatMap((name) =>
    attributes[name] === undefined ? [] : [[columnOf(name), attributes[name]]],
  );
  const columns = Object.fromEntries(given) as Partial<AttributeColumns>;
  // Search needs the MAC address case-folded too.
  return columns.mac === undefined ? columns : { ...columns, mac_key: foldCase(columns.mac) };
};

/** Columns of all attributes; '' where none is given. */
export const attributeColumns = (attributes: GivenAttributes = {}) =>
  changedAttributeColumns(mapAttributes((name) => attributes[name] ?? '')) as AttributeColumns & { mac_key: string };

const isValid = (name: DeviceAttribute, text: string): boolean => attributeKind(name).rule().safeParse(text).success;

/** Returns '' for an invalid value, stored before attributes were validated: a form could not save it. */
export const attributesOf = (row: AttributeColumns): DeviceAttributes =>
  mapAttributes((name) => {
    const text = row[columnOf(name)];
    return isValid(name, text) ? text : '';
  });

/** Log event of an attribute that a device reports and that violates its rule. */
export const MALFORMED_ATTRIBUTE = 'malformed device attribute ignored';

/** The valid attributes of a device's report; calls `ignore` for each invalid one. */
export const reportedAttributes = (
  reported: GivenAttributes,
  ignore: (name: DeviceAttribute) => void,
): GivenAttributes => {
  const given = deviceAttributeNames.filter((name) => reported[name] !== undefined && reported[name] !== '');
  const valid = given.filter((name) => isValid(name, reported[name] ?? ''));
  for (const name of given) if (!valid.includes(name)) ignore(name);
  return Object.fromEntries(valid.map((name) => [name, reported[name]]));
};

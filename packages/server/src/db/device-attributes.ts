import { type DeviceAttribute, type DeviceAttributes, deviceAttributeNames, attributeKind, mapAttributes } from '@device-center/contract';
import { foldCase } from '../platform/fold-case.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

export type AttributeColumns = { [Fact in DeviceAttribute as Snake<Fact>]: string };

const columnOf = (fact: DeviceAttribute): keyof AttributeColumns =>
  fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof AttributeColumns;

type GivenAttributes = { [Fact in DeviceAttribute]?: string | undefined };

/** Columns of the attributes that are given. */
export const changedAttributeColumns = (facts: GivenAttributes): Partial<AttributeColumns & { mac_key: string }> => {
  const given = deviceAttributeNames.flatMap((fact) => (facts[fact] === undefined ? [] : [[columnOf(fact), facts[fact]]]));
  const columns = Object.fromEntries(given) as Partial<AttributeColumns>;
  // Search needs the MAC address case-folded too.
  return columns.mac === undefined ? columns : { ...columns, mac_key: foldCase(columns.mac) };
};

/** Columns of all attributes; '' where none is given. */
export const attributeColumns = (facts: GivenAttributes = {}) =>
  changedAttributeColumns(mapAttributes((fact) => facts[fact] ?? '')) as AttributeColumns & { mac_key: string };

const isValid = (fact: DeviceAttribute, text: string): boolean => attributeKind(fact).rule().safeParse(text).success;

/** Returns '' for an invalid value, stored before attributes were validated: a form could not save it. */
export const attributesOf = (row: AttributeColumns): DeviceAttributes =>
  mapAttributes((fact) => {
    const text = row[columnOf(fact)];
    return isValid(fact, text) ? text : '';
  });

/** Log event of an attribute that a device reports and that violates its rule. */
export const MALFORMED_ATTRIBUTE = 'malformed device attribute ignored';

/** The valid attributes of a device's report; calls `ignore` for each invalid one. */
export const reportedAttributes = (reported: GivenAttributes, ignore: (fact: DeviceAttribute) => void): GivenAttributes => {
  const given = deviceAttributeNames.filter((fact) => reported[fact] !== undefined && reported[fact] !== '');
  const valid = given.filter((fact) => isValid(fact, reported[fact] ?? ''));
  for (const fact of given) if (!valid.includes(fact)) ignore(fact);
  return Object.fromEntries(valid.map((fact) => [fact, reported[fact]]));
};

import { type DeviceFact, type DeviceFacts, deviceFactNames, forEachFact } from '@device-center/contract';
import { fold } from '../platform/fold.ts';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

export type FactColumns = { [Fact in DeviceFact as Snake<Fact>]: string };

const columnOf = (fact: DeviceFact): keyof FactColumns =>
  fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof FactColumns;

type KnownFacts = { [Fact in DeviceFact]?: string | undefined };

/** Those that are known, as the table keeps them. */
export const changedFactColumns = (facts: KnownFacts): Partial<FactColumns & { mac_key: string }> => {
  const known = deviceFactNames.flatMap((fact) => (facts[fact] === undefined ? [] : [[columnOf(fact), facts[fact]]]));
  const columns = Object.fromEntries(known) as Partial<FactColumns>;
  // The one that a search goes by is also kept folded.
  return columns.mac === undefined ? columns : { ...columns, mac_key: fold(columns.mac) };
};

/** All of them, '' for what is not known. */
export const factColumns = (facts: KnownFacts = {}) =>
  changedFactColumns(forEachFact((fact) => facts[fact] ?? '')) as FactColumns & { mac_key: string };

export const factsOf = (row: FactColumns): DeviceFacts => forEachFact((fact) => row[columnOf(fact)]);

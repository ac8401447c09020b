import { type DeviceFact, type DeviceFacts, deviceFactNames, factKind, forEachFact } from '@device-center/contract';
import { fold } from '../platform/fold-case.ts';

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

const isGood = (fact: DeviceFact, text: string): boolean => factKind(fact).rule().safeParse(text).success;

/** Values that devices reported before they were validated read as unknown: a form could not save them. */
export const factsOf = (row: FactColumns): DeviceFacts =>
  forEachFact((fact) => {
    const text = row[columnOf(fact)];
    return isGood(fact, text) ? text : '';
  });

/** For the log, where a device reports an attribute that breaks its rule. */
export const MALFORMED_FACT = 'malformed fact of a device ignored';

/** The attributes that a device reports, as far as they are valid; `ignore` is called for each of the others. */
export const reportedFacts = (told: KnownFacts, ignore: (fact: DeviceFact) => void): KnownFacts => {
  const known = deviceFactNames.filter((fact) => told[fact] !== undefined && told[fact] !== '');
  const good = known.filter((fact) => isGood(fact, told[fact] ?? ''));
  for (const fact of known) if (!good.includes(fact)) ignore(fact);
  return Object.fromEntries(good.map((fact) => [fact, told[fact]]));
};

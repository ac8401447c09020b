import { z } from 'zod';
import { blankable, mac } from '../fields.ts';
import type { Text } from '../language.ts';

type FactKind = {
  /** Takes '' for "not known". */
  rule: () => z.ZodString;
  label: Text;
  /** A number or address that people copy. */
  mono?: boolean;
  /** A device may tell it by itself when it logs in. */
  told?: boolean;
};

/**
 * Short texts about a device that the hub keeps and does not act upon. Whatever handles devices goes through this list:
 * registration one by one and by sheet, changes, list, details, export, audit and synchronisation. Each is a text column
 * of the table `device`, named as here in snake case.
 */
export const deviceAttributes = {
  mac: { rule: mac, label: { zh_CN: 'MAC', en_US: 'MAC' }, mono: true, told: true },
} as const satisfies Record<string, FactKind>;

export type DeviceFact = keyof typeof deviceAttributes;
export type DeviceFacts = Record<DeviceFact, string>;

export const deviceFactNames = Object.keys(deviceAttributes) as DeviceFact[];
export const factKind = (fact: DeviceFact): FactKind => deviceAttributes[fact];

/** Something for each fact, by its name. */
export const forEachFact = <Made>(make: (fact: DeviceFact) => Made): Record<DeviceFact, Made> =>
  Object.fromEntries(deviceFactNames.map((fact) => [fact, make(fact)])) as Record<DeviceFact, Made>;

export const factsShown = forEachFact(() => z.string());
export const factsOfNewDevice = forEachFact((fact) => blankable(factKind(fact).rule()));
/** '' takes it away; what is not sent stays. */
export const factsChanged = forEachFact((fact) => factKind(fact).rule().optional());

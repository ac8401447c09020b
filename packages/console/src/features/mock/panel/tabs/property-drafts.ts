import type { ModelFunction } from '@device-center/contract';
import { useState } from 'react';
import { type Draft, draftOf, isReadable, problemsOf, valueFrom } from '../../../../model/values/value-draft.ts';

export type Property = ModelFunction & { functionType: 1 };

export const readableOf = (functions: readonly ModelFunction[]): Property[] =>
  functions.filter((entry): entry is Property => isReadable(entry));

const typeOf = (entry: Property) => entry.functionDefinition.dataType;

/** Typed values and selected properties. A property without a typed value shows the device's current value. */
export const usePropertyDrafts = (values: Readonly<Record<string, unknown>>) => {
  const [typed, setTyped] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const draftFor = (entry: Property): Draft =>
    typed.get(entry.signCode) ?? draftOf(typeOf(entry), values[entry.signCode]);

  const choose = (signCodes: readonly string[], on: boolean): void => {
    const next = new Set(chosen);
    for (const signCode of signCodes) on ? next.add(signCode) : next.delete(signCode);
    setChosen(next);
  };

  return {
    chosen,
    choose,
    typed,
    /** Stores a typed value and selects the property. */
    type: (signCode: string, draft: Draft): void => {
      setTyped(new Map(typed).set(signCode, draft));
      choose([signCode], true);
    },
    forget: (signCodes: readonly string[]): void => {
      const next = new Map(typed);
      for (const signCode of signCodes) next.delete(signCode);
      setTyped(next);
    },
    wrongOf: (entries: readonly Property[]): Property[] =>
      entries.filter((entry) => problemsOf(typeOf(entry), draftFor(entry)).size > 0),
    valuesOf: (entries: readonly Property[]): Record<string, unknown> =>
      Object.fromEntries(entries.map((entry) => [entry.signCode, valueFrom(typeOf(entry), draftFor(entry))])),
  };
};
export type PropertyDrafts = ReturnType<typeof usePropertyDrafts>;

import { type ValueProblem, valueProblemText } from '@device-center/contract';
import { createContext, useContext } from 'react';
import { currentLanguage } from '../../i18n/language.ts';
import { pathKey } from './value-draft.ts';

export type ValuePath = readonly (string | number)[];

type ValueForm = {
  disabled: boolean;
  problems: ReadonlyMap<string, ValueProblem>;
  /** Problems are shown only at touched fields; 'all' after an attempt to submit. */
  touched: ReadonlySet<string> | 'all';
  touch: (path: ValuePath) => void;
};

export const ValueFormContext = createContext<ValueForm>({
  disabled: false,
  problems: new Map(),
  touched: new Set(),
  touch: () => undefined,
});

export const useValueForm = (): ValueForm => useContext(ValueFormContext);

export const useProblemAt = (path: ValuePath): string => {
  const { problems, touched } = useValueForm();
  const key = pathKey(path);
  const problem = problems.get(key);
  if (!problem || (touched !== 'all' && !touched.has(key))) return '';
  return valueProblemText(problem, currentLanguage());
};

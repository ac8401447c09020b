import type { FunctionWithId } from '@device-center/contract';
import { submittedFunction } from '@device-center/contract';
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type FunctionForm, rawOf } from './function-form.ts';
import { type Problems, problemsOf } from './problems.ts';

// Each field subscribes to its own value and problem, so that a key stroke renders one field and not the whole panel.

export type FormState = {
  form: FunctionForm;
  problems: Problems;
  touched: ReadonlySet<string>;
  /** Shows every problem, after the user tried to apply. */
  showAll: boolean;
  /** Keys of expanded parameters. */
  open: ReadonlySet<string>;
  set: (path: string, value: unknown) => void;
  /** Updates the value at a path with a function. */
  change: <Value>(path: string, to: (value: Value) => Value) => void;
  touch: (path: string) => void;
  setOpen: (key: string, open: boolean) => void;
  /** Returns the function if it is valid. Otherwise shows every problem and expands the parameters that contain one. */
  finish: () => FunctionWithId | undefined;
};

type Node = Record<string, unknown> | unknown[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

export const valueAt = (root: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((node, step) => (isNode(node) ? (node as Record<string, unknown>)[step] : undefined), root);

const withValue = (node: unknown, steps: string[], value: unknown): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(node)) return node.with(Number(step), withValue(node[Number(step)], rest, value));
  const object = (isNode(node) ? node : {}) as Record<string, unknown>;
  return { ...object, [step]: withValue(object[step], rest, value) };
};

/** The keys of all list entries that contain a path. */
const ancestorKeys = (form: FunctionForm, path: string): string[] => {
  const steps = path.split('.');
  return steps.flatMap((_step, index) => {
    const node = valueAt(form, steps.slice(0, index + 1).join('.'));
    return isNode(node) && 'key' in node && typeof node.key === 'string' ? [node.key] : [];
  });
};

/** Keys of parameters without an identifier: they start expanded. */
const unnamedKeys = ({ functionDefinition: { input, output } }: FunctionForm): string[] =>
  [...input, ...output].filter(({ identifier }) => identifier === '').map(({ key }) => key);

export type FormStore = StoreApi<FormState>;

/** `taken`: identifiers of the other functions. */
export const createFormStore = (form: FunctionForm, taken: ReadonlySet<string>): FormStore =>
  createStore<FormState>((update, get) => ({
    form,
    problems: problemsOf(rawOf(form), taken),
    touched: new Set(),
    showAll: false,
    open: new Set(unnamedKeys(form)),
    set: (path, value) => {
      const next = withValue(get().form, path.split('.'), value) as FunctionForm;
      // The entries of a changed list have new paths, so the touched paths below it are no longer valid.
      const touched = Array.isArray(value)
        ? new Set([...get().touched].filter((other) => !other.startsWith(`${path}.`)))
        : get().touched;
      update({ form: next, problems: problemsOf(rawOf(next), taken), touched });
    },
    change: <Value>(path: string, to: (value: Value) => Value) =>
      get().set(path, to(valueAt(get().form, path) as Value)),
    touch: (path) => {
      if (!get().touched.has(path)) update({ touched: new Set([...get().touched, path]) });
    },
    setOpen: (key, open) => {
      const keys = new Set(get().open);
      if (open) keys.add(key);
      else keys.delete(key);
      update({ open: keys });
    },
    finish: () => {
      const { form: now, problems, open } = get();
      const parsed = problems.size === 0 ? submittedFunction.safeParse(rawOf(now)) : undefined;
      if (parsed?.success) return parsed.data;
      const hidden = [...problems.keys()].flatMap((path) => ancestorKeys(now, path));
      update({ showAll: true, open: new Set([...open, ...hidden]) });
      return undefined;
    },
  }));

const FormContext = createContext<FormStore | null>(null);
export const FormProvider = FormContext.Provider;

export const useForm = <Slice>(select: (state: FormState) => Slice): Slice => {
  const store = useContext(FormContext);
  if (!store) throw new Error('a field stands outside of its form');
  return useStore(store, select);
};

/** The problem of a field; '' if there is none or the field was not touched yet. */
export const useProblem = (path: string): string =>
  useForm(({ problems, touched, showAll }) => (showAll || touched.has(path) ? (problems.get(path) ?? '') : ''));

/** Whether a visible problem exists at a path or below it. */
export const useProblemWithin = (path: string): boolean =>
  useForm(
    ({ problems, showAll }) =>
      showAll && [...problems.keys()].some((other) => other === path || other.startsWith(`${path}.`)),
  );

/** The keys of a list's entries. A component that uses them renders when the list changes, not when an entry does. */
export const useKeys = (path: string): string[] =>
  useForm(useShallow(({ form }) => ((valueAt(form, path) ?? []) as { key: string }[]).map(({ key }) => key)));

import {
  type FunctionDefinition,
  type FunctionWithId,
  hasNoParameter,
  type Language,
  type ModelFunction,
  PRODUCT_FUNCTIONS_MAX,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { OpenFunctionTable, ProductFunctionTable } from '../../db/hub-tables.ts';
import { storedJson } from '../../db/stored.ts';
import { AppError } from '../../platform/app-error.ts';
import { newId } from '../../platform/ids.ts';

type OpenRow = Selectable<OpenFunctionTable>;
type ProductRow = Selectable<ProductFunctionTable>;

/** The translated parts of a built-in function. */
export type FunctionTexts = { functionName: string; description: string; functionDefinition: FunctionDefinition };

/** A function with its stored id. */
export type StoredFunction = ModelFunction & { id: string };

const tableOf = (row: OpenRow | ProductRow): string => ('product_id' in row ? 'product_function' : 'open_function');

const toFunction = (row: OpenRow | ProductRow, words?: FunctionTexts): StoredFunction =>
  ({
    id: row.function_id,
    signCode: row.sign_code,
    functionType: row.function_type,
    functionName: words?.functionName ?? row.function_name,
    description: words?.description ?? row.description,
    functionDefinition:
      words?.functionDefinition ?? storedJson<FunctionDefinition>(row.definition, tableOf(row), row.function_id),
  }) as StoredFunction;

/** Built-in functions have an English version; all others have the text that users entered. */
export const openFunctionIn = (language: Language, row: OpenRow): StoredFunction =>
  toFunction(
    row,
    language === 'en_US' && row.english
      ? storedJson<FunctionTexts>(row.english, 'open_function', row.function_id)
      : undefined,
  );

export const openFunctionsOf = async (db: Db, categoryId: string, language: Language): Promise<StoredFunction[]> => {
  const rows = await db
    .selectFrom('open_function')
    .selectAll()
    .where('category_id', '=', categoryId)
    .orderBy('sort_order')
    .orderBy('function_id')
    .execute();
  return rows.map((row) => openFunctionIn(language, row));
};

/** Functions of a product have the text that users entered, in any language. */
export const functionOf = (row: ProductRow): StoredFunction => toFunction(row);

export const productFunctionsOf = async (db: Db, productId: string): Promise<StoredFunction[]> => {
  const rows = await db
    .selectFrom('product_function')
    .selectAll()
    .where('product_id', '=', productId)
    .orderBy('sort_order')
    .orderBy('function_id')
    .execute();
  return rows.map(functionOf);
};

/** The columns common to category and product functions. */
export const columnsOf = (entry: StoredFunction, order: number) => ({
  function_id: entry.id,
  sign_code: entry.signCode,
  function_name: entry.functionName,
  function_type: entry.functionType,
  description: entry.description,
  definition: JSON.stringify(entry.functionDefinition),
  sort_order: order,
});

const find = <Item>(list: Item[], is: (item: Item) => boolean, field: string): Item => {
  const found = list.find(is);
  if (!found) throw new AppError('FUNCTION_NOT_FOUND', {}, field);
  return found;
};

/** Assigns ids: the given one, which must exist and keep its type, or a new one. */
export const withIds = (present: StoredFunction[], wanted: FunctionWithId[]): StoredFunction[] =>
  wanted.map((entry, index) => {
    const { id } = entry;
    if (id === undefined) return { ...entry, id: newId() };
    const previous = find(present, (candidate) => candidate.id === id, `functions[${index}].id`);
    if (previous.functionType !== entry.functionType)
      throw new AppError('FUNCTION_TYPE_FIXED', {}, `functions[${index}].functionType`);
    // Events stored without parameters by an earlier version stay valid.
    if (hasNoParameter(entry) && !hasNoParameter(previous))
      throw new AppError('EVENT_NO_PARAMETER', {}, `functions[${index}].functionDefinition.output`);
    return { ...entry, id };
  });

type AppendOptions = { max?: number; signCodeAt?: (index: number) => string };

const signCodeInList = (index: number): string => `functions[${index}].signCode`;
/** Field name of the identifier in calls that add a single function. */
export const singleSignCodeField = (): string => 'signCode';

/** Appends functions; fails for an identifier that exists already. */
export const appended = (
  present: StoredFunction[],
  added: ModelFunction[],
  { max = PRODUCT_FUNCTIONS_MAX, signCodeAt = signCodeInList }: AppendOptions = {},
): StoredFunction[] => {
  const taken = new Set(present.map(({ signCode }) => signCode));
  for (const [index, { signCode }] of added.entries()) {
    if (taken.has(signCode)) throw new AppError('SIGN_CODE_TAKEN', { signCode }, signCodeAt(index));
    taken.add(signCode);
  }
  if (present.length + added.length > max) throw new AppError('FUNCTIONS_TOO_MANY', { max }, 'functions');
  return [...present, ...added.map((entry) => ({ ...entry, id: newId() }))];
};

type Replacement = Omit<FunctionTexts, 'description'> & {
  id: string;
  signCode: string;
  description?: string | undefined;
};

export const replaced = (present: StoredFunction[], replacement: Replacement): StoredFunction[] => {
  const { id, signCode } = replacement;
  const previous = find(present, (candidate) => candidate.id === id, 'id');
  if (present.some((candidate) => candidate.id !== id && candidate.signCode === signCode))
    throw new AppError('SIGN_CODE_TAKEN', { signCode }, 'signCode');
  const now = {
    ...previous,
    ...replacement,
    description: replacement.description ?? previous.description,
  } as StoredFunction;
  return present.map((candidate) => (candidate === previous ? now : candidate));
};

export const without = (present: StoredFunction[], id: string): StoredFunction[] => {
  const previous = find(present, (candidate) => candidate.id === id, 'id');
  return present.filter((candidate) => candidate !== previous);
};

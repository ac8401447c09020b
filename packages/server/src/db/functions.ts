import {
  type FunctionDefinition,
  hasNoParameter,
  type KeptFunction,
  type Language,
  type ModelFunction,
  PRODUCT_FUNCTIONS_MAX,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import { AppError } from '../platform/app-error.ts';
import { newId } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import { storedJson } from './stored.ts';
import type { OpenFunctionTable, ProductFunctionTable } from './tables.ts';

type OpenRow = Selectable<OpenFunctionTable>;
type ProductRow = Selectable<ProductFunctionTable>;

/** What of a built-in function depends on the language. */
export type FunctionWords = { functionName: string; description: string; functionDefinition: FunctionDefinition };

/** A function and the id it is kept under. */
export type StoredFunction = ModelFunction & { id: string };

const tableOf = (row: OpenRow | ProductRow): string => ('product_id' in row ? 'product_function' : 'open_function');

const toFunction = (row: OpenRow | ProductRow, words?: FunctionWords): StoredFunction =>
  ({
    id: row.function_id,
    signCode: row.sign_code,
    functionType: row.function_type,
    functionName: words?.functionName ?? row.function_name,
    description: words?.description ?? row.description,
    functionDefinition:
      words?.functionDefinition ?? storedJson<FunctionDefinition>(row.definition, tableOf(row), row.function_id),
  }) as StoredFunction;

/** Built-in functions have a second language; all others are as people wrote them. */
export const openFunctionIn = (language: Language, row: OpenRow): StoredFunction =>
  toFunction(
    row,
    language === 'en_US' && row.english
      ? storedJson<FunctionWords>(row.english, 'open_function', row.function_id)
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

/** A product's function is as people wrote it, in whichever language. */
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

/** The columns that both kinds of function have. */
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

/** Gives each its id: the one it names, or a new one. Only what is there can be named, and a type never changes. */
export const withIds = (present: StoredFunction[], wanted: KeptFunction[]): StoredFunction[] =>
  wanted.map((entry, index) => {
    const { id } = entry;
    if (id === undefined) return { ...entry, id: newId() };
    const was = find(present, (one) => one.id === id, `functions[${index}].id`);
    if (was.functionType !== entry.functionType)
      throw new AppError('FUNCTION_TYPE_FIXED', {}, `functions[${index}].functionType`);
    // One that an earlier version stored without parameters may stay as it is.
    if (hasNoParameter(entry) && !hasNoParameter(was))
      throw new AppError('EVENT_NO_PARAMETER', {}, `functions[${index}].functionDefinition.output`);
    return { ...entry, id };
  });

type Place = { max?: number; signCodeAt?: (index: number) => string };

const inList = (index: number): string => `functions[${index}].signCode`;
/** Where the calls that add one function name its identifier. */
export const alone = (): string => 'signCode';

/** Adds at the end; an identifier that is there already is refused by name. */
export const appended = (
  present: StoredFunction[],
  added: ModelFunction[],
  { max = PRODUCT_FUNCTIONS_MAX, signCodeAt = inList }: Place = {},
): StoredFunction[] => {
  const taken = new Set(present.map(({ signCode }) => signCode));
  for (const [index, { signCode }] of added.entries()) {
    if (taken.has(signCode)) throw new AppError('SIGN_CODE_TAKEN', { signCode }, signCodeAt(index));
    taken.add(signCode);
  }
  if (present.length + added.length > max) throw new AppError('FUNCTIONS_TOO_MANY', { max }, 'functions');
  return [...present, ...added.map((entry) => ({ ...entry, id: newId() }))];
};

type Replacement = Omit<FunctionWords, 'description'> & {
  id: string;
  signCode: string;
  description?: string | undefined;
};

export const replaced = (present: StoredFunction[], change: Replacement): StoredFunction[] => {
  const { id, signCode } = change;
  const was = find(present, (one) => one.id === id, 'id');
  if (present.some((one) => one.id !== id && one.signCode === signCode))
    throw new AppError('SIGN_CODE_TAKEN', { signCode }, 'signCode');
  const now = { ...was, ...change, description: change.description ?? was.description } as StoredFunction;
  return present.map((one) => (one === was ? now : one));
};

export const without = (present: StoredFunction[], id: string): StoredFunction[] => {
  const was = find(present, (one) => one.id === id, 'id');
  return present.filter((one) => one !== was);
};

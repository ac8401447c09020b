import {
  checkValue,
  type DataType,
  FunctionType,
  type Language,
  type Text,
  valueProblemText,
  valueTexts,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { functionOf } from '../../domain/model/functions.ts';

/** Tolerance for clock differences. */
const AHEAD_MS = 5 * 60_000;
const FUTURE: Text = { zh_CN: '时间晚于当前时间', en_US: 'Its time lies in the future' };

/** Data types of a product's properties by sign code. */
export type Properties = ReadonlyMap<string, DataType>;
const NO_PROPERTIES: Properties = new Map();

export const propertiesOf = async (db: Db, productIds: string[]): Promise<(productId: string) => Properties> => {
  const rows = await db
    .selectFrom('product_function')
    .selectAll()
    .where('product_id', 'in', ['', ...new Set(productIds)])
    .where('function_type', '=', FunctionType.property)
    .execute();
  const byProduct = new Map<string, Map<string, DataType>>();
  for (const row of rows) {
    const entry = functionOf(row);
    if (entry.functionType !== FunctionType.property) continue;
    const known = byProduct.get(row.product_id) ?? new Map<string, DataType>();
    byProduct.set(row.product_id, known.set(entry.signCode, entry.functionDefinition.dataType));
  }
  return (productId) => byProduct.get(productId) ?? NO_PROPERTIES;
};

type Value = { signCode: string; time: number; value: unknown };

/** Why a latest value violates the model; undefined if it is valid. */
export const propertyProblem = (
  properties: Properties,
  { signCode, time, value }: Value,
  language: Language,
): { field: string; reason: string } | undefined => {
  const field = `values.${signCode}`;
  const type = properties.get(signCode);
  if (!type) return { field, reason: valueTexts.UNKNOWN[language] };
  const [problem] = checkValue(type, value, [signCode]);
  if (problem) return { field: `values.${problem.path.join('.')}`, reason: valueProblemText(problem, language) };
  return time > Date.now() + AHEAD_MS ? { field, reason: FUTURE[language] } : undefined;
};

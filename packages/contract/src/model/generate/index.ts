import type { ExportFormat } from '../../http/model.ts';
import type { ModelFunction } from '../function-definition.ts';
import { type ModelNote, modelFile } from '../model-file.ts';
import { toTsl } from '../tsl/to-tsl.ts';
import { cHeaderOf } from './c-header.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { typescriptOf } from './typescript.ts';

export type ExportedModel = { filename: string; contentType: string; text: string; notes: ModelNote[] };
type Product = { productId: string; productName: string; functions: ModelFunction[] };
type Written = { ending: string; contentType: string; text: string; notes?: ModelNote[] };

const JSON_TYPE = 'application/json; charset=utf-8';
const SCHEMA_TYPE = 'application/schema+json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Uses the product id for a name without Latin letters: escaped, it would be an unreadable sequence of numbers. */
const codeName = ({ productId, productName }: Product): string =>
  /^[\x20-\x7e]*[A-Za-z][\x20-\x7e]*$/.test(productName) ? productName : productId;

const writers: Record<ExportFormat, (product: Product) => Written> = {
  json: ({ productName, functions }) => ({
    ending: 'model.json',
    contentType: JSON_TYPE,
    text: pretty(modelFile(productName, functions)),
  }),
  tsl: ({ productId, functions }) => {
    const { tsl, notes } = toTsl(functions, { productKey: productId });
    return { ending: 'tsl.json', contentType: JSON_TYPE, text: pretty(tsl), notes };
  },
  jsonSchema: ({ productName, functions }) => ({
    ending: 'schema.json',
    contentType: SCHEMA_TYPE,
    text: pretty(jsonSchemaOf(functions, productName)),
  }),
  typescript: (product) => ({
    ending: 'd.ts',
    contentType: TEXT_TYPE,
    text: typescriptOf(product.functions, codeName(product)),
  }),
  cHeader: (product) => ({
    ending: 'h',
    contentType: TEXT_TYPE,
    text: cHeaderOf(product.functions, codeName(product)),
  }),
};

/** Exports a model as a file in the given format. */
export const exportModel = (format: ExportFormat, product: Product): ExportedModel => {
  const { ending, contentType, text, notes = [] } = writers[format](product);
  return { filename: `${product.productId}.${ending}`, contentType, text, notes };
};

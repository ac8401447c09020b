import type { DataType } from '../src/model/data-type.ts';
import { readModel } from '../src/model/model-file.ts';

/** Reads a model; fails the test if it is rejected. */
export const taken = (tsl: unknown) => {
  const read = readModel(tsl, 'en_US');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read;
};

export const common = (signCode: string, functionName: string, description = '') => ({
  signCode,
  functionName,
  description,
});
export const param = (identifier: string, name: string, dataType: DataType, required = true) => ({
  identifier,
  name,
  dataType,
  required,
});

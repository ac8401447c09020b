import { keptFunction } from '@device-center/contract';

export const readDefinition = (raw: Record<string, unknown>): unknown => {
  const parsed = keptFunction.safeParse(raw);
  return parsed.success ? parsed.data.functionDefinition : raw.functionDefinition;
};

import { submittedFunction } from '@device-center/contract';

export const readDefinition = (raw: Record<string, unknown>): unknown => {
  const parsed = submittedFunction.safeParse(raw);
  return parsed.success ? parsed.data.functionDefinition : raw.functionDefinition;
};

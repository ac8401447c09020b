import {
  type FunctionDefinition,
  fieldTexts,
  functionProblem,
  type Language,
  type OwnFunctionType,
} from '@device-center/contract';
import { BadInput } from './parse-input.ts';

type Sent = { signCode: string; functionType: OwnFunctionType; functionDefinition: FunctionDefinition };

/** What the single calls' fields cannot tell by themselves: that definition, type and identifier go together. */
export const checkFunction = (language: Language, sent: Sent): void => {
  const problem = functionProblem(sent);
  if (problem) throw new BadInput([{ field: problem.field, message: fieldTexts[problem.key][language] }]);
};

import {
  type FunctionDefinition,
  fieldTexts,
  functionProblem,
  type Language,
  type OwnFunctionType,
} from '@device-center/contract';
import { BadInput } from './parse-input.ts';

type FunctionInput = { signCode: string; functionType: OwnFunctionType; functionDefinition: FunctionDefinition };

/** Checks that type, identifier and definition match, which the fields of a single call cannot check each by itself. */
export const checkFunction = (language: Language, input: FunctionInput): void => {
  const problem = functionProblem(input);
  if (problem) throw new BadInput([{ field: problem.field, message: fieldTexts[problem.key][language] }]);
};

import {
  checkFunctionValue,
  FunctionType,
  fieldErrors,
  fieldPath,
  issueText,
  type Language,
  MessageType,
  systemInputs,
  valueProblemText,
} from '@device-center/contract';
import type { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import { type CommandPayload, systemServicePayload } from '../../domain/device/commands.ts';
import type { DeviceRecord } from '../../domain/device/devices.ts';
import { productFunctionsOf, type StoredFunction } from '../../domain/model/functions.ts';
import { BadInput } from '../../http/parse-input.ts';
import { AppError } from '../../platform/app-error.ts';

const FIELD = 'functionValue';

/** System services that operators may call; the others are sent by the hub only. */
const callable = new Map<string, z.ZodType<Record<string, unknown>>>(
  (['restart', 'logLevel', 'logSwitch'] as const).map((service) => [service, systemInputs[service].strict()]),
);

/** Parses JSON text, as the specification sends it; a JSON request may contain the value itself. */
const readValue = (sent: unknown, language: Language): unknown => {
  if (typeof sent !== 'string') return sent;
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    throw new BadInput([{ field: FIELD, message: issueText({ code: 'custom', message: 'JSON' }, language) }]);
  }
};

type FunctionCall = { functionId: string; functionValue?: unknown; read: 0 | 1 };

const validated = (entry: StoredFunction, value: unknown, language: Language): unknown => {
  const problems = checkFunctionValue(entry, value);
  if (problems.length > 0)
    throw new BadInput(
      problems.map((problem) => ({
        field: fieldPath([FIELD, ...problem.path]),
        message: valueProblemText(problem, language),
      })),
    );
  return value;
};

const propertyPayload = (
  entry: StoredFunction & { functionType: 1 },
  call: FunctionCall,
  language: Language,
): CommandPayload => {
  const { signCode } = entry;
  const { accessMode } = entry.functionDefinition;
  const config = { messageType: MessageType.config, functionType: FunctionType.property, functionId: signCode };
  if (call.read === 1) {
    if (accessMode === 'w') throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
    return { ...config, payload: { get: [signCode] } };
  }
  if (accessMode === 'r') throw new AppError('FUNCTION_NOT_WRITABLE', {}, 'functionId');
  const value = validated(entry, readValue(call.functionValue, language), language);
  return { ...config, payload: { properties: Object.fromEntries([[signCode, value]]) } };
};

const servicePayload = (
  entry: StoredFunction & { functionType: 32 },
  call: FunctionCall,
  language: Language,
): CommandPayload => {
  if (call.read === 1) throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
  const input = validated(entry, readValue(call.functionValue ?? {}, language), language);
  const { signCode } = entry;
  return {
    messageType: MessageType.service,
    functionType: FunctionType.service,
    functionId: signCode,
    payload: { service: signCode, input },
  };
};

const callableServicePayload = (
  { functionId, functionValue, read }: FunctionCall,
  language: Language,
): CommandPayload => {
  const schema = callable.get(functionId);
  if (!schema) throw new AppError('FUNCTION_NOT_FOUND', {}, 'functionId');
  if (read === 1) throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
  const input = schema.safeParse(readValue(functionValue ?? {}, language), { reportInput: true });
  if (!input.success) throw new BadInput(fieldErrors(input.error.issues, language, [FIELD]));
  return systemServicePayload(functionId, input.data);
};

/** Builds the payload for a function of the model or a system service, after validating the value. */
export const functionPayload =
  (call: FunctionCall, language: Language) =>
  async (db: Db, row: DeviceRecord): Promise<CommandPayload> => {
    const functions = await productFunctionsOf(db, row.product_id);
    const entry = functions.find(({ signCode }) => signCode === call.functionId);
    if (!entry) return callableServicePayload(call, language);
    if (entry.functionType === FunctionType.property) return propertyPayload(entry, call, language);
    if (entry.functionType === FunctionType.service) return servicePayload(entry, call, language);
    throw new AppError('FUNCTION_NOT_CALLABLE', {}, 'functionId');
  };

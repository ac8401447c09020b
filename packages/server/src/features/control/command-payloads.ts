import {
  checkFunctionValue,
  FunctionType,
  fieldErrors,
  issueText,
  type Language,
  MessageType,
  placeOf,
  systemInputs,
  valueProblemText,
} from '@device-center/contract';
import type { z } from 'zod';
import { type Order, systemOrder } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import type { DeviceRecord } from '../../db/devices.ts';
import { productFunctionsOf, type StoredFunction } from '../../db/functions.ts';
import { BadInput } from '../../http/parse-input.ts';
import { AppError } from '../../platform/app-error.ts';

const FIELD = 'functionValue';

/** Those of the system's services that people may call; the others are the hub's own doing. */
const callable = new Map<string, z.ZodType<Record<string, unknown>>>(
  (['restart', 'logLevel', 'logSwitch'] as const).map((service) => [service, systemInputs[service].strict()]),
);

/** JSON text, as the spec sends it; a JSON caller may send the value itself. */
const readValue = (sent: unknown, language: Language): unknown => {
  if (typeof sent !== 'string') return sent;
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    throw new BadInput([{ field: FIELD, message: issueText({ code: 'custom', message: 'JSON' }, language) }]);
  }
};

type Asked = { functionId: string; functionValue?: unknown; read: 0 | 1 };

const checked = (entry: StoredFunction, value: unknown, language: Language): unknown => {
  const problems = checkFunctionValue(entry, value);
  if (problems.length > 0)
    throw new BadInput(
      problems.map((problem) => ({
        field: placeOf([FIELD, ...problem.path]),
        message: valueProblemText(problem, language),
      })),
    );
  return value;
};

const propertyOrder = (entry: StoredFunction & { functionType: 1 }, asked: Asked, language: Language): Order => {
  const { signCode } = entry;
  const { accessMode } = entry.functionDefinition;
  const config = { messageType: MessageType.config, functionType: FunctionType.property, functionId: signCode };
  if (asked.read === 1) {
    if (accessMode === 'w') throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
    return { ...config, payload: { get: [signCode] } };
  }
  if (accessMode === 'r') throw new AppError('FUNCTION_NOT_WRITABLE', {}, 'functionId');
  const value = checked(entry, readValue(asked.functionValue, language), language);
  return { ...config, payload: { properties: Object.fromEntries([[signCode, value]]) } };
};

const serviceOrder = (entry: StoredFunction & { functionType: 32 }, asked: Asked, language: Language): Order => {
  if (asked.read === 1) throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
  const input = checked(entry, readValue(asked.functionValue ?? {}, language), language);
  const { signCode } = entry;
  return {
    messageType: MessageType.service,
    functionType: FunctionType.service,
    functionId: signCode,
    payload: { service: signCode, input },
  };
};

const namedSystemOrder = ({ functionId, functionValue, read }: Asked, language: Language): Order => {
  const schema = callable.get(functionId);
  if (!schema) throw new AppError('FUNCTION_NOT_FOUND', {}, 'functionId');
  if (read === 1) throw new AppError('FUNCTION_NOT_READABLE', {}, 'functionId');
  const input = schema.safeParse(readValue(functionValue ?? {}, language), { reportInput: true });
  if (!input.success) throw new BadInput(fieldErrors(input.error.issues, language, [FIELD]));
  return systemOrder(functionId, input.data);
};

/** What goes down for a function of the product's model, or one of the system's, after the value was held to it. */
export const functionOrder =
  (asked: Asked, language: Language) =>
  async (db: Db, row: DeviceRecord): Promise<Order> => {
    const functions = await productFunctionsOf(db, row.product_id);
    const entry = functions.find(({ signCode }) => signCode === asked.functionId);
    if (!entry) return namedSystemOrder(asked, language);
    if (entry.functionType === FunctionType.property) return propertyOrder(entry, asked, language);
    if (entry.functionType === FunctionType.service) return serviceOrder(entry, asked, language);
    throw new AppError('FUNCTION_NOT_CALLABLE', {}, 'functionId');
  };

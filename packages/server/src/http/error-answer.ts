import {
  type CommandResult,
  deviceCodes,
  type ErrorCode,
  type ErrorParams,
  errors,
  errorText,
  type Failure,
  type FieldError,
  type Language,
  languageOf,
} from '@device-center/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseDamaged, isDatabaseUnavailable, isStorageFull } from '../db/errors.ts';
import { AppError, CommandFailure, DeviceError } from '../platform/app-error.ts';
import { BadInput } from './parse-input.ts';

const codeOf = (error: unknown): ErrorCode => {
  if (error instanceof AppError) return error.code;
  if (error instanceof BadInput) return 'BAD_INPUT';
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'TOO_LARGE';
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT|FST_REQ_FILE_TOO_LARGE/.test(code)) return 'TOO_LARGE';
  if (statusCode === 415) return 'UNSUPPORTED_MEDIA_TYPE';
  if (statusCode === 429) return 'TOO_MANY_REQUESTS';
  if (statusCode >= 400 && statusCode < 500) return 'MALFORMED_BODY';
  if (isStorageFull(error)) return 'STORAGE_FULL';
  if (isDatabaseDamaged(error)) return 'DATA_CORRUPTED';
  return isDatabaseUnavailable(error) ? 'UNAVAILABLE' : 'FAULT';
};

/** A corrupted database page does not tell which rows it contained. */
const paramsOf = (error: unknown): ErrorParams => {
  if (error instanceof AppError) return error.params;
  return isDatabaseDamaged(error) ? { row: 'database' } : {};
};

const detailsOf = (error: unknown, message: string): FieldError[] | undefined => {
  if (error instanceof BadInput) return error.details;
  return error instanceof AppError && error.field ? [{ field: error.field, message }] : undefined;
};

const messageOf = (error: unknown, code: ErrorCode, language: Language): string => {
  if (error instanceof DeviceError) return deviceCodes[error.codeName][language];
  // For a single invalid field the message is that of the field; for several, the details have one each.
  if (error instanceof BadInput && new Set(error.details.map(({ field }) => field)).size === 1)
    return error.details[0]?.message ?? errorText(code, language);
  return errorText(code, language, paramsOf(error));
};

/** Sends every error in the same envelope, in the caller's language. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const code = codeOf(error);
  const { status } = errors[code];
  const language = languageOf(request.headers['accept-language']);
  const message = messageOf(error, code, language);
  // A device that does not respond is not an error of the hub.
  if (status >= 500 && !(error instanceof CommandFailure)) request.log.error({ err: error, code }, 'request failed');
  const details = detailsOf(error, message);
  const body: Failure<CommandResult | null> = {
    success: false,
    statusCode: status,
    code,
    message,
    data: error instanceof CommandFailure ? error.result : null,
    requestId: request.id,
    ...(details ? { details } : {}),
  };
  if (error instanceof AppError && typeof error.params.seconds === 'number')
    reply.header('Retry-After', error.params.seconds);
  return reply.code(status).type('application/json').send(body);
};

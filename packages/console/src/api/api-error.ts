import type { FieldError } from '@device-center/contract';

/** Codes that the console itself gives, beside the hub's own. */
export const TIMEOUT_CODE = 'TIMEOUT';
export const NETWORK_CODE = 'NETWORK_ERROR';

type ApiErrorParts = {
  /** 0 when no answer came at all. */
  status: number;
  code: string;
  message: string;
  details?: FieldError[] | undefined;
  requestId?: string | undefined;
};

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: FieldError[];
  readonly requestId: string | undefined;

  constructor({ status, code, message, details = [], requestId }: ApiErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

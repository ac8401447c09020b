import type { FieldError } from '@device-center/contract';

/** Error codes of the console itself, in addition to those of the hub. */
export const TIMEOUT_CODE = 'TIMEOUT';
export const NETWORK_CODE = 'NETWORK_ERROR';

type ApiErrorParts = {
  /** 0 if no response arrived. */
  status: number;
  code: string;
  message: string;
  details?: FieldError[] | undefined;
  requestId?: string | undefined;
  /** The data that the call declares as `failureData`. */
  data?: unknown;
};

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: FieldError[];
  readonly requestId: string | undefined;
  readonly data: unknown;

  constructor({ status, code, message, details = [], requestId, data = null }: ApiErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.data = data;
  }
}

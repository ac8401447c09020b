import type { CommandResult, DeviceCodeName, ErrorCode, ErrorParams } from '@device-center/contract';

/** An error of the contract; the HTTP server converts it to the envelope in the caller's language. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  /** The input field that caused it, so that a form can show it there. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, params: ErrorParams = {}, field?: string) {
    super(code);
    this.code = code;
    this.params = params;
    this.field = field;
  }
}

/** An error for a device: its message is that of the device protocol, not the one for users. */
export class DeviceError extends AppError {
  readonly codeName: DeviceCodeName;

  constructor(codeName: DeviceCodeName, field?: string) {
    super(codeName, {}, field);
    this.codeName = codeName;
  }
}

/** A command that was sent and failed: the response includes the command result. */
export class CommandFailure extends AppError {
  readonly result: CommandResult;

  constructor(code: ErrorCode, result: CommandResult) {
    super(code, { code: result.code, message: result.message });
    this.result = result;
  }
}

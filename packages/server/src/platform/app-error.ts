import type { CommandResult, DeviceCodeName, ErrorCode, ErrorParams } from '@device-center/contract';

/** A refusal from the contract's catalogue; the HTTP side turns it into the envelope in the caller's language. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  /** The input field it is about, so that a form can show it there. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, params: ErrorParams = {}, field?: string) {
    super(code);
    this.code = code;
    this.params = params;
    this.field = field;
  }
}

/** The same to a device, whose words are the protocol's also where people are told something else. */
export class DeviceError extends AppError {
  readonly word: DeviceCodeName;

  constructor(word: DeviceCodeName, field?: string) {
    super(word, {}, field);
    this.word = word;
  }
}

/** A command that was sent and not carried out: the error answer carries how it went. */
export class CommandFailure extends AppError {
  readonly result: CommandResult;

  constructor(code: ErrorCode, result: CommandResult) {
    super(code, { code: result.code, message: result.message });
    this.result = result;
  }
}

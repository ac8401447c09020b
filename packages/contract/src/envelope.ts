import type { ErrorCode } from './errors.ts';
import type { Text } from './language.ts';

export type FieldError = { field: string; message: string };

export type Success<Data> = { success: true; statusCode: 200; message: string; data: Data };

/** `data` is null unless the call declares `failureData`. */
export type Failure<Data = null> = {
  success: false;
  statusCode: number;
  code: ErrorCode;
  message: string;
  data: Data;
  requestId: string;
  details?: FieldError[];
};

export type Answer<Data, FailureData = null> = Success<Data> | Failure<FailureData>;

export const successTexts = {
  done: { zh_CN: '操作成功', en_US: 'Operation succeeded' },
  deleted: { zh_CN: '删除成功', en_US: 'Delete succeeded' },
} as const satisfies Record<string, Text>;

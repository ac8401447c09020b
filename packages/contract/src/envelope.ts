import type { ErrorCode } from './errors.ts';
import type { Text } from './language.ts';

export type FieldError = { field: string; message: string };

export type Success<Data> = { success: true; statusCode: 200; message: string; data: Data };

export type Failure = {
  success: false;
  statusCode: number;
  code: ErrorCode;
  message: string;
  data: null;
  requestId: string;
  details?: FieldError[];
};

export type Answer<Data> = Success<Data> | Failure;

export const successTexts = {
  done: { zh_CN: '操作成功', en_US: 'Operation succeeded' },
  deleted: { zh_CN: '删除成功', en_US: 'Delete succeeded' },
} as const satisfies Record<string, Text>;

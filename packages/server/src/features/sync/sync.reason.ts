import {
  errors,
  fill,
  type Language,
  nodeProblemTexts,
  type SyncProblem,
  syncProblemTexts,
  type Text,
} from '@device-center/contract';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';

/** Why an item was not delivered, stored as a code so that it can be shown in either language. */
export type Reason = { code: string; params: Record<string, string | number>; message?: string };

/** The receiver rejected a request, or the hub did not send it. */
export class SyncFailure extends Error {
  readonly reason: Reason;
  /** The receiver rejected the content; it may accept other items. */
  readonly isContentError: boolean;

  constructor(reason: Reason, isContentError = false) {
    super(reason.code);
    this.reason = reason;
    this.isContentError = isContentError;
  }
}

export const problem = (code: SyncProblem, params: Reason['params'] = {}): Reason => ({ code, params });

const textsOf = (code: string): Text | undefined =>
  [syncProblemTexts, nodeProblemTexts, errors]
    .map((table) => (Object.hasOwn(table, code) ? (table as Record<string, Text>)[code] : undefined))
    .find((text) => text !== undefined);

/** For a code that this version does not know, the message of the receiver is shown. */
export const reasonText = ({ code, params, message }: Reason, language: Language): string => {
  const text = textsOf(code);
  return text ? fill(text[language], params) : (message ?? code);
};

export const isKnownCode = (code: string): boolean => textsOf(code) !== undefined;

export const reasonOf = (error: unknown): Reason | undefined => {
  if (error instanceof SyncFailure) return error.reason;
  return error instanceof NodeFailure ? { code: error.problem, params: error.params } : undefined;
};

export const readReason = (stored: string): Reason | undefined =>
  stored === '' ? undefined : (JSON.parse(stored) as Reason);

/** The fields of an answer: text and code, both '' without a reason. */
export const reasonFields = (reason: Reason | undefined, language: Language) => ({
  reason: reason ? reasonText(reason, language) : '',
  reasonCode: reason?.code ?? '',
});

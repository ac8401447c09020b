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

/** Why something was not delivered, kept so that it can be told in either language. */
export type Reason = { code: string; params: Record<string, string | number>; message?: string };

/** The other side's own refusal, or one that never left. */
export class SyncFailure extends Error {
  readonly reason: Reason;
  /** It is what was sent that is not taken, and other items might be. */
  readonly ofContent: boolean;

  constructor(reason: Reason, ofContent = false) {
    super(reason.code);
    this.reason = reason;
    this.ofContent = ofContent;
  }
}

export const problem = (code: SyncProblem, params: Reason['params'] = {}): Reason => ({ code, params });

const textsOf = (code: string): Text | undefined =>
  [syncProblemTexts, nodeProblemTexts, errors]
    .map((table) => (Object.hasOwn(table, code) ? (table as Record<string, Text>)[code] : undefined))
    .find((text) => text !== undefined);

/** A word that this version does not know comes with a sentence of its own. */
export const reasonText = ({ code, params, message }: Reason, language: Language): string => {
  const text = textsOf(code);
  return text ? fill(text[language], params) : (message ?? code);
};

export const isKnownCode = (code: string): boolean => textsOf(code) !== undefined;

export const reasonOf = (error: unknown): Reason | undefined => {
  if (error instanceof SyncFailure) return error.reason;
  return error instanceof NodeFailure ? { code: error.problem, params: error.params } : undefined;
};

export const readReason = (kept: string): Reason | undefined =>
  kept === '' ? undefined : (JSON.parse(kept) as Reason);

/** For an answer: the sentence and the word, both '' without a reason. */
export const toldReason = (reason: Reason | undefined, language: Language) => ({
  reason: reason ? reasonText(reason, language) : '',
  reasonCode: reason?.code ?? '',
});

import {
  fieldErrors,
  type Language,
  type SyncItem,
  type SyncItemAnswer,
  type SyncItemKey,
  type SyncProblem,
  type SyncResult,
} from '@device-center/contract';
import type { z } from 'zod';
import { problem, type Reason, reasonText } from './sync.reason.ts';

/** Where received items land, and for whom the answers are. */
export type Landing = {
  tenancyId: string;
  applicationId: string;
  /** The zone that received devices are put into. */
  zoneId: number;
  language: Language;
};

export type Verdict = {
  item: SyncItemKey;
  result: SyncResult;
  reason?: Reason;
  present?: unknown;
  /** Refused because another tenant has the id. */
  foreign?: true;
};

export const refused = (item: SyncItemKey, code: SyncProblem, params: Reason['params'] = {}): Verdict => ({
  item,
  result: 'refused',
  reason: problem(code, params),
});

/** Refused since the id is taken: by another tenant, or by another origin within this one. */
export const refusedTaken = (
  item: SyncItemKey,
  code: 'deviceIdTaken' | 'productIdTaken',
  owner: string,
  { tenancyId }: Pick<Landing, 'tenancyId'>,
): Verdict => ({ ...refused(item, code, { id: item.id }), ...(owner === tenancyId ? {} : { foreign: true }) });

export type PresentRow = {
  tenancy_id: string;
  origin_id: string;
  revision: number;
  /** Without a hash the values of a device were never stored: the delivery was interrupted. */
  content_hash?: string;
};

/** What an item is beside the row of its id, whatever its content. */
export const judgeRow = (
  item: SyncItemKey,
  row: PresentRow | undefined,
  landing: Pick<Landing, 'tenancyId'>,
): Verdict => {
  if (!row) return { item, result: 'created' };
  if (row.tenancy_id !== landing.tenancyId || row.origin_id !== item.origin)
    return refusedTaken(item, item.kind === 'model' ? 'productIdTaken' : 'deviceIdTaken', row.tenancy_id, landing);
  if (row.revision > item.revision) return { item, result: 'older' };
  return { item, result: row.revision === item.revision && row.content_hash !== '' ? 'same' : 'changed' };
};

/** The content by its rules, or the first that it breaks. */
export const readContent = <Content>(
  schema: z.ZodType<Content>,
  item: SyncItem,
  language: Language,
): { content: Content } | { verdict: Verdict } => {
  const parsed = schema.safeParse(item.content, { reportInput: true });
  if (parsed.success) return { content: parsed.data };
  const [first] = fieldErrors(parsed.error.issues, language);
  return { verdict: refused(item, 'invalid', { field: first?.field ?? '', reason: first?.message ?? '' }) };
};

export const answerOf = ({ item, result, reason, present }: Verdict, language: Language): SyncItemAnswer => ({
  kind: item.kind,
  id: item.id,
  result,
  code: reason?.code ?? '',
  params: reason?.params ?? {},
  message: reason ? reasonText(reason, language) : '',
  ...(present === undefined ? {} : { present }),
});

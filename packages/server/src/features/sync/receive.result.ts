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
export type ReceiveTarget = {
  tenancyId: string;
  applicationId: string;
  /** The zone that received devices are put into. */
  zoneId: number;
  /** The installation that delivers; '' is not known. */
  sender: string;
  keyId: string;
  /** Other keys of the tenant that work: what they deliver is not changed with this one. */
  otherKeys: ReadonlySet<string>;
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
  { tenancyId }: Pick<ReceiveTarget, 'tenancyId'>,
): Verdict => ({ ...refused(item, code, { id: item.id }), ...(owner === tenancyId ? {} : { foreign: true }) });

export type PresentRow = {
  tenancy_id: string;
  origin_id: string;
  revision: number;
  received_key: string;
  former_origin: string;
  /** Without a hash the values of a device were never stored: the delivery was interrupted. */
  content_hash?: string;
};

/** What an item is beside the row of its id, whatever its content. */
export const judgeRow = (
  item: SyncItemKey,
  row: PresentRow | undefined,
  landing: Pick<ReceiveTarget, 'tenancyId' | 'otherKeys'>,
): Verdict => {
  if (!row) return { item, result: 'created' };
  const own = row.tenancy_id === landing.tenancyId;
  if (own && row.origin_id === '' && row.former_origin === item.origin) return refused(item, 'takenOver');
  if (!own || row.origin_id !== item.origin)
    return refusedTaken(item, item.kind === 'model' ? 'productIdTaken' : 'deviceIdTaken', row.tenancy_id, landing);
  if (row.revision > item.revision) return { item, result: 'older' };
  if (row.revision === item.revision && row.content_hash !== '') return { item, result: 'same' };
  return landing.otherKeys.has(row.received_key) ? refused(item, 'otherKey') : { item, result: 'changed' };
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

import {
  fieldErrors,
  type Language,
  type SyncItem,
  type SyncItemKey,
  type SyncItemResult,
  type SyncProblem,
  type SyncResult,
} from '@device-center/contract';
import type { z } from 'zod';
import { problem, type Reason, reasonText } from './sync.reason.ts';

/** Where received items are stored, and the language of the answers. */
export type ReceiveTarget = {
  tenancyId: string;
  applicationId: string;
  /** The zone of received devices. */
  zoneId: number;
  /** The installation that delivers; '' is unknown. */
  sender: string;
  keyId: string;
  /** Other valid keys of the tenant: this key does not change items that one of them delivered. */
  otherKeys: ReadonlySet<string>;
  language: Language;
};

export type ItemResult = {
  item: SyncItemKey;
  result: SyncResult;
  reason?: Reason;
  present?: unknown;
  /** Rejected because another tenant has the id. */
  foreign?: true;
};

export const refusedResult = (item: SyncItemKey, code: SyncProblem, params: Reason['params'] = {}): ItemResult => ({
  item,
  result: 'refused',
  reason: problem(code, params),
});

/** Rejected because the id is taken: by another tenant, or by another origin within this one. */
export const idTakenResult = (
  item: SyncItemKey,
  code: 'deviceIdTaken' | 'productIdTaken',
  owner: string,
  { tenancyId }: Pick<ReceiveTarget, 'tenancyId'>,
): ItemResult => ({ ...refusedResult(item, code, { id: item.id }), ...(owner === tenancyId ? {} : { foreign: true }) });

export type PresentRow = {
  tenancy_id: string;
  origin_id: string;
  revision: number;
  received_key: string;
  former_origin: string;
  /** '' until the values of a device are stored: with it the delivery was interrupted. */
  content_hash?: string;
};

/** The result of an item by the row with its id, regardless of its content. */
export const compareWithRow = (
  item: SyncItemKey,
  row: PresentRow | undefined,
  target: Pick<ReceiveTarget, 'tenancyId' | 'otherKeys'>,
): ItemResult => {
  if (!row) return { item, result: 'created' };
  const own = row.tenancy_id === target.tenancyId;
  if (own && row.origin_id === '' && row.former_origin === item.origin) return refusedResult(item, 'takenOver');
  if (!own || row.origin_id !== item.origin)
    return idTakenResult(item, item.kind === 'model' ? 'productIdTaken' : 'deviceIdTaken', row.tenancy_id, target);
  if (row.revision > item.revision) return { item, result: 'older' };
  if (row.revision === item.revision && row.content_hash !== '') return { item, result: 'same' };
  return target.otherKeys.has(row.received_key) ? refusedResult(item, 'otherKey') : { item, result: 'changed' };
};

/** The validated content, or a result with the first rule that it violates. */
export const readContent = <Content>(
  schema: z.ZodType<Content>,
  item: SyncItem,
  language: Language,
): { content: Content } | { itemResult: ItemResult } => {
  const parsed = schema.safeParse(item.content, { reportInput: true });
  if (parsed.success) return { content: parsed.data };
  const [first] = fieldErrors(parsed.error.issues, language);
  return { itemResult: refusedResult(item, 'invalid', { field: first?.field ?? '', reason: first?.message ?? '' }) };
};

export const answerOf = ({ item, result, reason, present }: ItemResult, language: Language): SyncItemResult => ({
  kind: item.kind,
  id: item.id,
  result,
  code: reason?.code ?? '',
  params: reason?.params ?? {},
  message: reason ? reasonText(reason, language) : '',
  ...(present === undefined ? {} : { present }),
});

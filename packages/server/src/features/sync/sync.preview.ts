import {
  type Input,
  type Language,
  type Output,
  SYNC_PREVIEW_MAX,
  type SyncEffect,
  type SyncItem,
  type SyncItemResult,
  type SyncPreviewRow,
  type SyncResult,
  type syncCalls,
  syncResults,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { SyncRecordTable } from '../../db/hub-tables.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Check } from './sync.check.ts';
import { batches, type Delivery } from './sync.deliver.ts';
import { effectOf } from './sync.effect.ts';
import { chunked, type Items, type OutgoingItem } from './sync.items.ts';
import { type Reason, reasonOf, reasonText } from './sync.reason.ts';
import { readTargets, type SyncNode, type SyncTarget } from './sync.targets.ts';

type Calls = typeof syncCalls;
type Row = Selectable<SyncRecordTable>;
type Deps = {
  db: Db;
  secrets: Pick<SecretBox, 'open'>;
  items: Items;
  delivery: Pick<Delivery, 'preview'>;
  check: Pick<Check, 'all'>;
};
type PreviewItem = OutgoingItem & { row: Row };

export type RecordPreview = { row: Row; itemName: string; effect: SyncEffect; present: unknown };

const READ_BATCH = 100;

/** With several nodes, the result with the highest weight is shown. */
const WEIGHT: Record<SyncResult, number> = { same: 0, older: 1, changed: 2, created: 3, refused: 4 };

const answerFor = (item: SyncItem, result: SyncResult): SyncItemResult => ({
  kind: item.kind,
  id: item.id,
  result,
  code: '',
  params: {},
  message: '',
});

/** A broker retains the last published item, and only this installation publishes there. */
const brokerAnswer = ({ row, item }: PreviewItem): SyncItemResult => {
  if (row.sent_revision === 0) return answerFor(item, 'created');
  return answerFor(item, row.sent_revision === item.revision ? 'same' : 'changed');
};

export const createPreview = ({ db, secrets, items, delivery, check }: Deps) => {
  const answersOf = async (node: SyncNode, batch: PreviewItem[]): Promise<Map<string, SyncItemResult>> =>
    node.kind === 'mqtt'
      ? new Map(batch.map((entry) => [entry.item.id, brokerAnswer(entry)]))
      : delivery.preview(
          node,
          batch.map(({ item }) => item),
        );

  const readItems = async (dataType: 1 | 2, rows: Row[]): Promise<PreviewItem[]> => {
    const found = await items.read(
      dataType,
      rows.map((row) => row.item_id),
    );
    return rows.flatMap((row): PreviewItem[] => {
      const outgoing = found.get(row.item_id);
      return outgoing ? [{ ...outgoing, row }] : [];
    });
  };

  const mergeAnswers = (
    previews: Map<string, RecordPreview>,
    batch: PreviewItem[],
    answers: Map<string, SyncItemResult>,
    language: Language,
  ): void => {
    for (const { row, item, itemName } of batch) {
      const answer = answers.get(item.id);
      if (!answer) continue;
      const effect = effectOf(item, answer, language);
      const before = previews.get(row.sync_id);
      if (before && WEIGHT[before.effect.change] >= WEIGHT[effect.change]) continue;
      previews.set(row.sync_id, { row, itemName, effect, present: answer.present ?? null });
    }
  };

  /** What sending each record would do; throws the errors of the nodes. */
  const previewRecords = async (
    target: SyncTarget,
    rows: Row[],
    language: Language,
  ): Promise<Map<string, RecordPreview>> => {
    const previews = new Map<string, RecordPreview>();
    for (const dataType of [1, 2] as const)
      for (const chunk of chunked(
        rows.filter((row) => row.data_type === dataType),
        READ_BATCH,
      )) {
        const entries = await readItems(dataType, chunk);
        for (const batch of batches(entries))
          for (const node of target.nodes) mergeAnswers(previews, batch, await answersOf(node, batch), language);
      }
    return previews;
  };

  const selectRecords = (input: Input<Calls['previewSync']>) => {
    const rows = db
      .selectFrom('sync_record')
      .where('zone_id', '=', input.zoneId)
      .where('data_type', '=', input.dataType);
    return input.syncIds ? rows.where('sync_id', 'in', input.syncIds) : rows.where('status', '<>', 2);
  };

  const targetOf = async (zoneId: number): Promise<SyncTarget> => {
    const [target] = await readTargets(db, secrets, zoneId);
    if (target) return target;
    const zone = await db.selectFrom('zone').select('zone_id').where('zone_id', '=', zoneId).executeTakeFirst();
    throw new AppError(zone ? 'SYNC_NO_TARGET' : 'ZONE_NOT_FOUND', {}, 'zoneId');
  };

  return {
    targetOf,

    /** The state of one record at the receiver, or why it is unknown. */
    async previewRecord(
      target: SyncTarget,
      row: Row,
      language: Language,
    ): Promise<RecordPreview | { problem: Reason }> {
      try {
        const preview = (await previewRecords(target, [row], language)).get(row.sync_id);
        return preview ?? { problem: { code: 'fault', params: {} } };
      } catch (error) {
        const reason = reasonOf(error);
        if (!reason) throw error;
        return { problem: reason };
      }
    },

    async previewSync(
      { language }: Context,
      input: Input<Calls['previewSync']>,
    ): Promise<Output<Calls['previewSync']>> {
      const target = await targetOf(input.zoneId);
      if (target.zone.status !== 1) throw new AppError('ZONE_DISABLED');
      // Only for the first page: items that the receiver has lost count as not in sync.
      if (!input.syncIds && !input.change && input.pageIndex === 1) await check.all(target, input.dataType);
      const { records } = await selectRecords(input)
        .select(({ fn }) => fn.countAll<number>().as('records'))
        .executeTakeFirstOrThrow();
      const rows = await selectRecords(input).selectAll().orderBy('sync_id').limit(SYNC_PREVIEW_MAX).execute();
      const previews = await previewRecords(target, rows, language).catch((error: unknown) => {
        const reason = reasonOf(error);
        throw reason ? new AppError('SYNC_TARGET_UNAVAILABLE', { reason: reasonText(reason, language) }) : error;
      });
      const all = [...previews.values()];
      const filtered = input.change ? all.filter(({ effect }) => effect.change === input.change) : all;
      const { pageIndex, pageSize } = input;
      const page = filtered.slice((pageIndex - 1) * pageSize, pageIndex * pageSize);
      const count = (change: SyncResult) => all.filter(({ effect }) => effect.change === change).length;
      return {
        pageIndex,
        pageSize,
        total: filtered.length,
        list: page.map(
          ({ row, itemName, effect }): SyncPreviewRow => ({
            syncId: row.sync_id,
            productId: row.product_id,
            deviceId: row.device_id ?? '',
            itemName,
            ...effect,
          }),
        ),
        counts: Object.fromEntries(syncResults.map((change) => [change, count(change)])) as Record<SyncResult, number>,
        looked: all.length,
        records: Number(records),
      };
    },
  };
};

export type Preview = ReturnType<typeof createPreview>;

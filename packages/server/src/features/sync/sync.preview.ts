import {
  type Input,
  type Language,
  type Output,
  SYNC_PREVIEW_MAX,
  type SyncEffect,
  type SyncItem,
  type SyncItemAnswer,
  type SyncPreviewRow,
  type SyncResult,
  type syncCalls,
  syncResults,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { SyncRecordTable } from '../../db/sync-tables.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Check } from './sync.check.ts';
import { batches, type Delivery } from './sync.deliver.ts';
import { effectOf } from './sync.effect.ts';
import { type Items, inPieces, type Outgoing } from './sync.items.ts';
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
type Asked = Outgoing & { row: Row };

export type Looked = { row: Row; itemName: string; effect: SyncEffect; present: unknown };

const READ_AT_ONCE = 100;

/** Of several nodes the one that has most to be done counts. */
const WEIGHT: Record<SyncResult, number> = { same: 0, older: 1, changed: 2, created: 3, refused: 4 };

const answerFor = (item: SyncItem, result: SyncResult): SyncItemAnswer => ({
  kind: item.kind,
  id: item.id,
  result,
  code: '',
  params: {},
  message: '',
});

/** A broker keeps what was last published, and nobody but this installation publishes there. */
const byDelivery = ({ row, item }: Asked): SyncItemAnswer => {
  if (row.sent_revision === 0) return answerFor(item, 'created');
  return answerFor(item, row.sent_revision === item.revision ? 'same' : 'changed');
};

export const createPreview = ({ db, secrets, items, delivery, check }: Deps) => {
  const answersOf = async (node: SyncNode, batch: Asked[]): Promise<Map<string, SyncItemAnswer>> =>
    node.kind === 'mqtt'
      ? new Map(batch.map((asked) => [asked.item.id, byDelivery(asked)]))
      : delivery.preview(
          node,
          batch.map(({ item }) => item),
        );

  const readAsked = async (dataType: 1 | 2, rows: Row[]): Promise<Asked[]> => {
    const found = await items.read(
      dataType,
      rows.map((row) => row.item_id),
    );
    return rows.flatMap((row): Asked[] => {
      const outgoing = found.get(row.item_id);
      return outgoing ? [{ ...outgoing, row }] : [];
    });
  };

  const note = (
    looked: Map<string, Looked>,
    batch: Asked[],
    answers: Map<string, SyncItemAnswer>,
    language: Language,
  ): void => {
    for (const { row, item, itemName } of batch) {
      const answer = answers.get(item.id);
      if (!answer) continue;
      const effect = effectOf(item, answer, language);
      const before = looked.get(row.sync_id);
      if (before && WEIGHT[before.effect.change] >= WEIGHT[effect.change]) continue;
      looked.set(row.sync_id, { row, itemName, effect, present: answer.present ?? null });
    }
  };

  /** Each with what sending it would do; throws what the nodes throw. */
  const look = async (target: SyncTarget, rows: Row[], language: Language): Promise<Map<string, Looked>> => {
    const looked = new Map<string, Looked>();
    for (const dataType of [1, 2] as const)
      for (const piece of inPieces(
        rows.filter((row) => row.data_type === dataType),
        READ_AT_ONCE,
      )) {
        const asked = await readAsked(dataType, piece);
        for (const batch of batches(asked))
          for (const node of target.nodes) note(looked, batch, await answersOf(node, batch), language);
      }
    return looked;
  };

  const chosen = (input: Input<Calls['previewSync']>) => {
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

    /** What the other side has of one record, or why nobody knows. */
    async lookAt(target: SyncTarget, row: Row, language: Language): Promise<Looked | { problem: Reason }> {
      try {
        const looked = (await look(target, [row], language)).get(row.sync_id);
        return looked ?? { problem: { code: 'fault', params: {} } };
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
      // Once for all pages: what the other side has lost belongs to what is not in sync.
      if (!input.syncIds && !input.change && input.pageIndex === 1) await check.all(target, input.dataType);
      const { records } = await chosen(input)
        .select(({ fn }) => fn.countAll<number>().as('records'))
        .executeTakeFirstOrThrow();
      const rows = await chosen(input).selectAll().orderBy('sync_id').limit(SYNC_PREVIEW_MAX).execute();
      const looked = await look(target, rows, language).catch((error: unknown) => {
        const reason = reasonOf(error);
        throw reason ? new AppError('SYNC_TARGET_UNAVAILABLE', { reason: reasonText(reason, language) }) : error;
      });
      const all = [...looked.values()];
      const wanted = input.change ? all.filter(({ effect }) => effect.change === input.change) : all;
      const { pageIndex, pageSize } = input;
      const page = wanted.slice((pageIndex - 1) * pageSize, pageIndex * pageSize);
      const count = (change: SyncResult) => all.filter(({ effect }) => effect.change === change).length;
      return {
        pageIndex,
        pageSize,
        total: wanted.length,
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

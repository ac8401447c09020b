import {
  type Input,
  type Output,
  SYNC_COMPARE_MAX,
  SYNC_ITEMS_MAX,
  SYNC_MAX_BYTES,
  SYNC_PROTOCOL,
  SyncDataType,
  type SyncItem,
  type syncDeliveryCalls,
  ZoneType,
} from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { assertMayRegister, recordTakenIds } from '../../domain/device/taken-ids.ts';
import { tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import { type ApiKeyRow, requireApiKey } from '../../domain/user/api-keys.ts';
import { zoneNameIn } from '../../domain/zone/zones.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { compareItems } from './receive.compare.ts';
import { createDeviceReceiver } from './receive.devices.ts';
import { createModelReceiver } from './receive.models.ts';
import { answerOf, type ItemResult, type ReceiveTarget, refusedResult } from './receive.result.ts';
import type { Items } from './sync.items.ts';

type Calls = typeof syncDeliveryCalls;
type Deps = { db: Db; records: RecordDb; secrets: SecretBox; items: Items; installationId: string };
type Caller = Context<Actor | null>;

const DEFAULT_ZONE = 1;
const ROUTINE_EVERY_MS = 3_600_000;

/** Receives items from other installations. The API key of a delivery determines tenant and application. */
export const createReceiver = ({ db, records, secrets, items, installationId }: Deps) => {
  const receiveModels = createModelReceiver({ db, secrets });
  const receiveDevices = createDeviceReceiver({ db, records });
  /** Serialises the deliveries of a key, so that the values of the later one remain. */
  const serializeByKey = createKeyedMutex();

  const findZone = async (zoneId: number | undefined) =>
    zoneId === undefined
      ? undefined
      : db.selectFrom('zone').selectAll().where('zone_id', '=', zoneId).executeTakeFirst();

  /** The other valid sync keys of the key's tenant. */
  const otherKeysOf = async ({ key_id, tenancy_id }: ApiKeyRow): Promise<ReadonlySet<string>> => {
    const rows = await db
      .selectFrom('api_key')
      .select('key_id')
      .where('tenancy_id', '=', tenancy_id)
      .where('scope', '=', 'sync')
      .where('key_id', '<>', key_id)
      .where('creator_id', 'is not', null)
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
      .execute();
    return new Set(rows.map((row) => row.key_id));
  };

  const withPresent = async (results: ItemResult[]): Promise<ItemResult[]> => {
    const existing = (kind: SyncItem['kind']) =>
      results.filter(({ item, result }) => item.kind === kind && (result === 'changed' || result === 'older'));
    const ids = (kind: SyncItem['kind']) => existing(kind).map(({ item }) => item.id);
    const models = await items.read(SyncDataType.model, ids('model'));
    const devices = await items.read(SyncDataType.data, ids('device'));
    return results.map((itemResult) => {
      if (itemResult.result !== 'changed' && itemResult.result !== 'older') return itemResult;
      const found = (itemResult.item.kind === 'model' ? models : devices).get(itemResult.item.id);
      return { ...itemResult, present: found?.item.content ?? null };
    });
  };

  const receive = async (target: ReceiveTarget, sent: SyncItem[], preview: boolean): Promise<ItemResult[]> => {
    const returned = sent.filter((item) => item.origin === installationId);
    const others = sent.filter((item) => item.origin !== installationId);
    const results: ItemResult[] = returned.map((item) => refusedResult(item, 'ownItem'));
    const models = others.filter(({ kind }) => kind === 'model');
    if (models.length > 0) results.push(...(await receiveModels(target, models, preview)));
    // Of several items with the same id the newest counts.
    const newest = new Map<string, SyncItem>();
    for (const item of others.filter(({ kind }) => kind === 'device'))
      if ((newest.get(item.id)?.revision ?? -1) <= item.revision) newest.set(item.id, item);
    if (newest.size > 0) results.push(...(await receiveDevices(target, [...newest.values()], preview)));
    return preview ? withPresent(results) : results;
  };

  const routineAt = new Map<string, number>();

  /**
   * Writes one audit entry with counts per delivery. Deliveries that only change devices can arrive every minute: they
   * get one entry per key and hour, so that they do not hide all others.
   */
  const writeAudit = async (
    { action, ip, requestId }: Caller,
    key: ApiKeyRow,
    results: ItemResult[],
  ): Promise<void> => {
    const done = results.filter(({ result }) => result !== 'same' && result !== 'older');
    if (done.length === 0) return;
    const isRoutine = done.every(
      ({ item, result }) => result === 'refused' || (item.kind === 'device' && result === 'changed'),
    );
    if (isRoutine && (routineAt.get(key.key_id) ?? 0) > Date.now() - ROUTINE_EVERY_MS) return;
    if (isRoutine) routineAt.set(key.key_id, Date.now());
    const after: Record<string, number> = {};
    for (const { item, result } of done) after[`${item.kind} ${result}`] = (after[`${item.kind} ${result}`] ?? 0) + 1;
    const author = {
      action,
      ip,
      requestId,
      actor: { userId: key.key_id, username: `${key.creator} (${key.key_name})` },
    };
    const audit = { tenancyId: key.tenancy_id, targetId: key.key_id, targetName: key.key_name, after };
    await withAudit(db, author, async () => ({ result: null, audit }));
  };

  /** Records attempts on ids of other tenants. A preview reveals as much as a delivery, so it counts too. */
  const recordForeign = async (context: Caller, key: ApiKeyRow, results: ItemResult[]): Promise<void> => {
    const foreign = results.filter((itemResult) => itemResult.foreign);
    const [first] = foreign;
    if (!first) return;
    const ids = foreign.map(({ item }) => item.id);
    const actor = { userId: key.key_id, username: `${key.creator} (${key.key_name})` };
    const { key_id: callerId, tenancy_id: tenancyId } = key;
    await recordTakenIds(db, { ...context, actor }, { callerId, tenancyId, code: first.reason?.code ?? '', ids });
  };

  return {
    async getSyncTarget(
      { token, ip, language }: Caller,
      { zoneId }: Input<Calls['getSyncTarget']>,
    ): Promise<Output<Calls['getSyncTarget']>> {
      const key = await requireApiKey(db, token, 'sync', ip);
      const zone = await findZone(zoneId);
      const tenancy = await db
        .selectFrom('tenancy')
        .selectAll()
        .where('tenancy_id', '=', key.tenancy_id)
        .executeTakeFirstOrThrow();
      const application = await db
        .selectFrom('application')
        .select('application_name')
        .where('application_id', '=', key.application_id ?? '')
        .executeTakeFirst();
      return {
        protocol: SYNC_PROTOCOL,
        installationId,
        tenancyId: key.tenancy_id,
        tenancyName: tenancyNameIn(language, tenancy),
        applicationId: key.application_id ?? '',
        applicationName: application?.application_name ?? '',
        zoneKnown: zoneId === undefined || zone ? 1 : 0,
        zoneName: zone ? zoneNameIn(language, zone) : '',
        itemsMax: SYNC_ITEMS_MAX,
        bytesMax: SYNC_MAX_BYTES,
        compareMax: SYNC_COMPARE_MAX,
      };
    },

    async compareSync(
      { token, ip, language }: Caller,
      { items }: Input<Calls['compareSync']>,
    ): Promise<Output<Calls['compareSync']>> {
      const key = await requireApiKey(db, token, 'sync', ip);
      const results = await compareItems(db, key.tenancy_id, items, installationId);
      const differing = results.filter(({ result }) => result !== 'same');
      return { installationId, differing: differing.map((itemResult) => answerOf(itemResult, language)) };
    },

    async deliverSync(context: Caller, input: Input<Calls['deliverSync']>): Promise<Output<Calls['deliverSync']>> {
      const { token, ip, language } = context;
      const key = await requireApiKey(db, token, 'sync', ip);
      await assertMayRegister(db, key.key_id);
      const zone = await findZone(input.zoneId);
      if (input.zoneId !== undefined && !zone) throw new AppError('ZONE_NOT_FOUND', {}, 'zoneId');
      const target: ReceiveTarget = {
        tenancyId: key.tenancy_id,
        applicationId: key.application_id ?? '',
        zoneId: zone?.zone_type === ZoneType.inner ? zone.zone_id : DEFAULT_ZONE,
        sender: input.sender,
        keyId: key.key_id,
        otherKeys: await otherKeysOf(key),
        language,
      };
      const preview = input.preview === 1;
      const results = await serializeByKey(key.key_id, () => receive(target, input.items, preview));
      if (!preview) await writeAudit(context, key, results);
      await recordForeign(context, key, results);
      return { installationId, results: results.map((itemResult) => answerOf(itemResult, language)) };
    },
  };
};

import type { DeviceCodeName } from '@device-center/contract';
import type { ConnectRecordTable } from '../../db/record-tables.ts';
import { iso } from '../../platform/time.ts';
import type { Batch, RecordStore, Uplink } from '../../records/batch.ts';
import { connectedRow, disconnectedRow, rejectedRow } from '../../records/connection-events.ts';
import { kickedUntil } from './device-rows.ts';
import { createClientRuntime, recordIdAt, type Voice } from './messages.ts';
import { DAY_MS, HISTORY_DAYS, type OnlinePeriod, type PlannedDevice } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

/** No hub of this installation has this number: hubs count from 1. */
export const HISTORY_HUB = 999_983;

const HOUR_MS = 3_600_000;
const BATCH_MAX = 2_000;
/** The last week has a message an hour and device, the time before one in three hours: that is half the work. */
const FINE_DAYS = 7;
const COARSE_HOURS = 3;
/** How often a device reports all its properties, and not only what it measures. */
const WHOLE_EVERY_HOURS = 24;
/** Messages of a day that are events; a log once a day. */
const EVENTS_A_DAY = 0.12;
const NONSENSE_SHARE = 0.04;
const REFUSED_EVERY_MS = 5 * HOUR_MS;

type Teller = { device: PlannedDevice; voice: Voice; minute: number; stayNo: number; toldStay: OnlinePeriod | null };
type Told = { uplinks: Uplink[]; connects: ConnectRecordTable[] };

const whoseOf = ({ company, deviceId }: PlannedDevice, productId: string) => ({
  tenancyId: company.tenancyId,
  productId,
  deviceId,
});
const seenAt = ({ ip }: PlannedDevice, at: number) => ({ at, recordId: recordIdAt(at), ip, transport: 'tcp' });

/** Who was turned away since it last was here, and with which word. */
const refusalOf = ({ condition }: PlannedDevice, now: number): [word: DeviceCodeName, detail: string] | null => {
  if (condition.kind === 'blacklisted') return ['BLACKLISTED', condition.reason];
  if (condition.kind === 'kicked') return ['KICKED', iso(kickedUntil(now))];
  return condition.kind === 'wrongSecret' ? ['SIGNATURE', ''] : null;
};

const refusalsOf = (device: PlannedDevice, productId: string, now: number): ConnectRecordTable[] => {
  const refusal = refusalOf(device, now);
  if (!refusal) return [];
  const [word, detail] = refusal;
  const since = device.stays.at(-1)?.to ?? now;
  const count = Math.floor((now - since) / REFUSED_EVERY_MS);
  return Array.from({ length: count }, (_, place) => {
    const at = Math.floor(since + (place + Math.random()) * REFUSED_EVERY_MS);
    return rejectedRow(whoseOf(device, productId), { ...seenAt(device, at), transport: '' }, 'login', word, detail);
  });
};

const connectsOf = (device: PlannedDevice, productId: string, now: number): ConnectRecordTable[] => {
  const whose = whoseOf(device, productId);
  return [
    ...device.stays.flatMap(({ from, to, reason, detail }) => [
      connectedRow(whose, seenAt(device, from), device.parent?.deviceId ?? null),
      disconnectedRow(whose, seenAt(device, to), from, reason, detail),
    ]),
    ...refusalsOf(device, productId, now),
  ];
};

const stayAt = (teller: Teller, time: number): OnlinePeriod | undefined => {
  const { stays } = teller.device;
  while ((stays[teller.stayNo]?.to ?? time + 1) <= time) teller.stayNo++;
  const stay = stays[teller.stayNo];
  return stay && stay.from + 1_000 < time ? stay : undefined;
};

/** What one device says in the first of these hours, for all of them. */
const tellHours = (teller: Teller, hour: number, hours: number, productId: string, told: Told): void => {
  const { device, voice } = teller;
  const time = hour + teller.minute;
  const stay = stayAt(teller, time);
  if (!stay) return;
  const isNew = teller.toldStay !== stay;
  teller.toldStay = stay;
  if (isNew && !device.parent && stay.from >= hour - hours * HOUR_MS) told.uplinks.push(voice.online(stay));
  const wrong = device.condition.kind === 'breaksModel' && Math.random() < NONSENSE_SHARE && voice.nonsense(stay, time);
  if (wrong) {
    told.uplinks.push(wrong.uplink);
    const { detail } = wrong;
    told.connects.push(rejectedRow(whoseOf(device, productId), seenAt(device, time), 'message', 'VALUE', detail));
  } else told.uplinks.push(voice.report(stay, time, isNew || Math.floor(hour / HOUR_MS) % WHOLE_EVERY_HOURS < hours));
  const dice = Math.random();
  const after = time + 30_000;
  if (after >= stay.to) return;
  if (dice < (EVENTS_A_DAY / 24) * hours) {
    const event = voice.happen(stay, after, Math.floor(dice * 1e6));
    if (event) told.uplinks.push(event);
  } else if (dice > 1 - hours / 24) told.uplinks.push(voice.log(stay, after));
};

type Written = { messages: number; connects: number };

/**
 * In the order of time: so each table grows at its end, and the whole takes seconds. While one batch is written the
 * next is made.
 */
export const writeHistory = async (
  store: RecordStore,
  devices: PlannedDevice[],
  products: CreatedProducts,
  now: number,
  onBatch: (batch: Batch) => Promise<void>,
): Promise<Written> => {
  const tellers = devices
    .filter(({ stays }) => stays.length > 0)
    .map((device): Teller => {
      const made = products.get(device.product);
      const voice = createClientRuntime(device, made?.functions ?? [], made?.sampleEvents ?? []);
      return { device, voice, minute: Math.floor(Math.random() * (HOUR_MS - 60_000)), stayNo: 0, toldStay: null };
    });
  const productIdOf = (device: PlannedDevice): string => products.get(device.product)?.productId ?? '';
  const written: Written = { messages: 0, connects: 0 };
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (told: Told): Promise<void> => {
    const batch = { writerNo: HISTORY_HUB, downlinks: [], ...told };
    await writing;
    writing = store.write(batch);
    // Whoever waits for it below sees the failure.
    writing.catch(() => undefined);
    written.messages += told.uplinks.length;
    written.connects += told.connects.length;
    await onBatch(batch);
  };

  await write({ uplinks: [], connects: devices.flatMap((device) => connectsOf(device, productIdOf(device), now)) });
  let told: Told = { uplinks: [], connects: [] };
  const end = now - HOUR_MS;
  const fine = now - FINE_DAYS * DAY_MS;
  let hours = COARSE_HOURS;
  for (let hour = now - HISTORY_DAYS * DAY_MS; hour <= end; hour += hours * HOUR_MS) {
    if (hour >= fine) hours = 1;
    for (const teller of tellers) tellHours(teller, hour, hours, productIdOf(teller.device), told);
    if (told.uplinks.length < BATCH_MAX) continue;
    await write(told);
    told = { uplinks: [], connects: [] };
  }
  await write(told);
  await writing;
  return written;
};

import type { DeviceCodeName } from '@device-center/contract';
import type { ConnectRecordTable } from '../../db/record-tables.ts';
import { iso } from '../../platform/time.ts';
import type { Batch, RecordStore, Uplink } from '../../records/batch.ts';
import { connectedRow, disconnectedRow, rejectedRow } from '../../records/connection-events.ts';
import { kickedUntil } from './device-rows.ts';
import { createMessageBuilder, type MessageBuilder, recordIdAt } from './messages.ts';
import { DAY_MS, HISTORY_DAYS, type OnlinePeriod, type PlannedDevice } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

/** Writer id of the history: hubs count from 1 and never reach it. */
export const HISTORY_HUB = 999_983;

const HOUR_MS = 3_600_000;
const BATCH_MAX = 2_000;
/** The last week has a message per hour and device, earlier weeks one per three hours, which halves the work. */
const FINE_DAYS = 7;
const COARSE_HOURS = 3;
/** Interval of reporting all properties, not only measurements. */
const WHOLE_EVERY_HOURS = 24;
/** Events per day; a log is reported once a day. */
const EVENTS_A_DAY = 0.12;
const INVALID_SHARE = 0.04;
const REJECTED_EVERY_MS = 5 * HOUR_MS;

type DeviceState = {
  device: PlannedDevice;
  messages: MessageBuilder;
  minute: number;
  periodIndex: number;
  lastPeriod: OnlinePeriod | null;
};
type Output = { uplinks: Uplink[]; connects: ConnectRecordTable[] };

const deviceIdsOf = ({ company, deviceId }: PlannedDevice, productId: string) => ({
  tenancyId: company.tenancyId,
  productId,
  deviceId,
});
const sourceAt = ({ ip }: PlannedDevice, at: number) => ({ at, recordId: recordIdAt(at), ip, transport: 'tcp' });

/** Code and detail with which a device has been rejected since its last connection. */
const rejectionOf = ({ condition }: PlannedDevice, now: number): [codeName: DeviceCodeName, detail: string] | null => {
  if (condition.kind === 'blacklisted') return ['BLACKLISTED', condition.reason];
  if (condition.kind === 'kicked') return ['KICKED', iso(kickedUntil(now))];
  return condition.kind === 'wrongSecret' ? ['SIGNATURE', ''] : null;
};

const rejectionsOf = (device: PlannedDevice, productId: string, now: number): ConnectRecordTable[] => {
  const rejection = rejectionOf(device, now);
  if (!rejection) return [];
  const [codeName, detail] = rejection;
  const since = device.onlinePeriods.at(-1)?.to ?? now;
  const count = Math.floor((now - since) / REJECTED_EVERY_MS);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(since + (index + Math.random()) * REJECTED_EVERY_MS);
    return rejectedRow(
      deviceIdsOf(device, productId),
      { ...sourceAt(device, at), transport: '' },
      'login',
      codeName,
      detail,
    );
  });
};

const connectionEventsOf = (device: PlannedDevice, productId: string, now: number): ConnectRecordTable[] => {
  const ids = deviceIdsOf(device, productId);
  return [
    ...device.onlinePeriods.flatMap(({ from, to, reason, detail }) => [
      connectedRow(ids, sourceAt(device, from), device.parent?.deviceId ?? null),
      disconnectedRow(ids, sourceAt(device, to), from, reason, detail),
    ]),
    ...rejectionsOf(device, productId, now),
  ];
};

const periodAt = (state: DeviceState, time: number): OnlinePeriod | undefined => {
  const { onlinePeriods } = state.device;
  while ((onlinePeriods[state.periodIndex]?.to ?? time + 1) <= time) state.periodIndex++;
  const period = onlinePeriods[state.periodIndex];
  return period && period.from + 1_000 < time ? period : undefined;
};

/** Adds the messages of one device in the first of these hours, representing all of them. */
const addMessages = (state: DeviceState, hour: number, hours: number, productId: string, output: Output): void => {
  const { device, messages } = state;
  const time = hour + state.minute;
  const period = periodAt(state, time);
  if (!period) return;
  const isNew = state.lastPeriod !== period;
  state.lastPeriod = period;
  if (isNew && !device.parent && period.from >= hour - hours * HOUR_MS) output.uplinks.push(messages.online(period));
  const invalid =
    device.condition.kind === 'breaksModel' && Math.random() < INVALID_SHARE && messages.invalidReport(period, time);
  if (invalid) {
    output.uplinks.push(invalid.uplink);
    const { detail } = invalid;
    output.connects.push(
      rejectedRow(deviceIdsOf(device, productId), sourceAt(device, time), 'message', 'VALUE', detail),
    );
  } else
    output.uplinks.push(messages.report(period, time, isNew || Math.floor(hour / HOUR_MS) % WHOLE_EVERY_HOURS < hours));
  const roll = Math.random();
  const after = time + 30_000;
  if (after >= period.to) return;
  if (roll < (EVENTS_A_DAY / 24) * hours) {
    const event = messages.sampleEvent(period, after, Math.floor(roll * 1e6));
    if (event) output.uplinks.push(event);
  } else if (roll > 1 - hours / 24) output.uplinks.push(messages.log(period, after));
};

type Written = { messages: number; connects: number };

/**
 * Writes in time order, so that each table grows at its end and the whole takes seconds. The next batch is created
 * while one is written.
 */
export const writeHistory = async (
  store: RecordStore,
  devices: PlannedDevice[],
  products: CreatedProducts,
  now: number,
  onBatch: (batch: Batch) => Promise<void>,
): Promise<Written> => {
  const states = devices
    .filter(({ onlinePeriods }) => onlinePeriods.length > 0)
    .map((device): DeviceState => {
      const product = products.get(device.product);
      const messages = createMessageBuilder(device, product?.functions ?? [], product?.sampleEvents ?? []);
      return {
        device,
        messages,
        minute: Math.floor(Math.random() * (HOUR_MS - 60_000)),
        periodIndex: 0,
        lastPeriod: null,
      };
    });
  const productIdOf = (device: PlannedDevice): string => products.get(device.product)?.productId ?? '';
  const written: Written = { messages: 0, connects: 0 };
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (output: Output): Promise<void> => {
    const batch = { writerNo: HISTORY_HUB, downlinks: [], ...output };
    await writing;
    writing = store.write(batch);
    // A failure is thrown by the `await` below.
    writing.catch(() => undefined);
    written.messages += output.uplinks.length;
    written.connects += output.connects.length;
    await onBatch(batch);
  };

  await write({
    uplinks: [],
    connects: devices.flatMap((device) => connectionEventsOf(device, productIdOf(device), now)),
  });
  let output: Output = { uplinks: [], connects: [] };
  const end = now - HOUR_MS;
  const fine = now - FINE_DAYS * DAY_MS;
  let hours = COARSE_HOURS;
  for (let hour = now - HISTORY_DAYS * DAY_MS; hour <= end; hour += hours * HOUR_MS) {
    if (hour >= fine) hours = 1;
    for (const state of states) addMessages(state, hour, hours, productIdOf(state.device), output);
    if (output.uplinks.length < BATCH_MAX) continue;
    await write(output);
    output = { uplinks: [], connects: [] };
  }
  await write(output);
  await writing;
  return written;
};

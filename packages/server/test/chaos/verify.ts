import {
  auditCalls,
  controlCalls,
  deviceCalls,
  homeCalls,
  otaCalls,
  recordCalls,
  UpgradeStatus,
} from '@device-center/contract';
import type { Client } from '../client.ts';
import { recordsOf, taskOf } from '../ota-fixtures.ts';
import type { FleetDevice } from './fleet.ts';
import type { Installation } from './installation.ts';
import type { Operator } from './operator.ts';
import { isQuiet, type Outage } from './outages.ts';

const SLICE_MS = 300_000;
const PAGE = 200;
/** The serial number of an envelope in a line of the file. */
const SERIAL = /serial[\\"]+:(\d+)/;
/** Mosquitto acknowledges at once and holds a message only in memory until the hub gets it or a second has passed. */
const BROKER_WRITES_MS = 2_000;

/** The acknowledged messages compared with the stored ones. */
export type StoredMessages = {
  lost: string[];
  doubled: string[];
  acknowledgedByBroker: number;
  messages: number;
  rows: number;
};

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

/** All uplink messages of a device between two times, from the file that an operator downloads. */
const download = async ({ url, token }: Client, deviceId: string, from: number, to: number) => {
  const address = new URL(recordCalls.exportDeviceMessages.path, url);
  const sent = { deviceId, dataFlow: '1', startTime: String(from), endTime: String(to) };
  address.search = new URLSearchParams(sent).toString();
  const answer = await fetch(address, { headers: { Authorization: token } });
  if (answer.status !== 200 || !answer.body) throw new Error(`no file: ${answer.status}`);
  return linesOf(answer.body);
};

export const verifyMessages = async (
  { admin }: Installation,
  members: FleetDevice[],
  outages: Outage[],
  since: number,
): Promise<StoredMessages> => {
  const stored: StoredMessages = { lost: [], doubled: [], acknowledgedByBroker: 0, messages: 0, rows: 0 };
  const brokerKills = outages.filter(({ kinds }) => kinds.includes('broker')).map(({ from }) => from);
  const byBrokerAlone = ({ inZone }: FleetDevice, at: number): boolean =>
    inZone && brokerKills.some((kill) => at > kill - BROKER_WRITES_MS && at < kill + BROKER_WRITES_MS);
  for (const member of members) {
    const { acknowledgedAt, device } = member;
    const times = new Uint8Array(acknowledgedAt.length);
    for (let from = since; from < Date.now(); from += SLICE_MS) {
      let first = true;
      for await (const line of await download(admin, device.deviceId, from, from + SLICE_MS)) {
        if (!first && line) stored.rows++;
        first = false;
        const serial = SERIAL.exec(line)?.[1];
        if (serial !== undefined) times[Number(serial)] = (times[Number(serial)] ?? 0) + 1;
      }
    }
    stored.messages += acknowledgedAt.length;
    for (const [serial, at] of acknowledgedAt.entries()) {
      const name = `${device.deviceId}${member.inZone ? ' (zone)' : ''} ${serial} at ${new Date(at).toISOString()}`;
      if ((times[serial] ?? 0) > 1) stored.doubled.push(name);
      if (at === 0 || times[serial] !== 0) continue;
      if (byBrokerAlone(member, at)) stored.acknowledgedByBroker++;
      else stored.lost.push(name);
    }
  }
  return stored;
};

/** The number of messages on the home page. */
export const countedMessages = async ({ admin }: Installation): Promise<number> =>
  (await admin.ok(homeCalls.getSystemDeviceCurrentCount, {})).messageCount;

async function* pagesOf<Row>(page: (pageIndex: number) => Promise<{ total: number; list: Row[] }>) {
  for (let pageIndex = 1; ; pageIndex++) {
    const { total, list } = await page(pageIndex);
    yield* list;
    if (pageIndex * PAGE >= total || list.length === 0) return;
  }
}

const allOf = async <Row>(page: (pageIndex: number) => Promise<{ total: number; list: Row[] }>): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const row of pagesOf(page)) rows.push(row);
  return rows;
};

const counted = (values: string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Each confirmed change is in the audit log once, and the last one of a device is its current name. */
export const verifyChanges = async ({ admin }: Installation, members: FleetDevice[], { renames }: Operator) => {
  const wrong: string[] = [];
  for (const { device } of members) {
    const { deviceId } = device;
    const own = renames.filter((rename) => rename.deviceId === deviceId);
    const sent = { action: 'device.updateDevice', target: deviceId, pageSize: PAGE };
    const rows = await allOf((pageIndex) => admin.ok(auditCalls.queryAuditLogList, { ...sent, pageIndex }));
    const audited = counted(rows.map(({ after }) => String((after as { deviceName?: string })?.deviceName)));
    for (const { deviceName, known } of own) {
      const times = audited.get(deviceName) ?? 0;
      if (times > 1 || (known && times === 0)) wrong.push(`${deviceName}: audited ${times} times`);
    }
    const last = own.findLastIndex(({ known }) => known);
    const possible = own.slice(Math.max(0, last)).map(({ deviceName }) => deviceName);
    const { deviceName } = await admin.ok(deviceCalls.getDeviceDetails, { deviceId });
    if (last >= 0 && !possible.includes(deviceName)) wrong.push(`${deviceId} is ${deviceName}, not ${possible}`);
  }
  return wrong;
};

/** Each confirmed command was executed once and is stored so; no other was executed twice; none is left open. */
export const verifyCommands = async ({ admin }: Installation, members: FleetDevice[], { orders }: Operator) => {
  const wrong: string[] = [];
  for (const member of members) {
    const { deviceId } = member.device;
    const rows = await allOf((pageIndex) =>
      admin.ok(controlCalls.getDeviceCommands, { deviceId, pageIndex, pageSize: PAGE }),
    );
    const byId = new Map(rows.map((row) => [row.messageId, row]));
    if (byId.size !== rows.length) wrong.push(`${deviceId}: a command is listed twice`);
    for (const { messageId, status } of rows)
      if (status === 'created' || status === 'sent') wrong.push(`${deviceId}: ${messageId} is still ${status}`);
    for (const { number, messageId, answered } of orders.filter((order) => order.member === member)) {
      const times = member.executed.get(number) ?? 0;
      if (times > 1 || (answered && times !== 1)) wrong.push(`${deviceId}: ${number} was carried out ${times} times`);
      if (answered && byId.get(messageId)?.status !== 'answered') wrong.push(`${deviceId}: ${number} is not answered`);
    }
  }
  return wrong;
};

/** Every task has ended; a device that installed the version has succeeded, others have a reason. */
export const verifyUpgrades = async ({ admin, shop }: Installation, members: FleetDevice[], taskIds: string[]) => {
  const { productId } = shop;
  const listed = await allOf((pageIndex) =>
    admin.ok(otaCalls.queryDeviceOtaTaskList, { productId, pageIndex, pageSize: PAGE }),
  );
  const wrong = taskIds.filter((taskId) => listed.filter((task) => task.taskId === taskId).length !== 1);
  const byId = new Map(members.map((member) => [member.device.deviceId, member]));
  const tally = { success: 0, failed: 0 };
  for (const { taskId } of listed) {
    const { targetVersion } = await taskOf(admin, taskId);
    for (const { deviceId, status, reason, detail } of await recordsOf(admin, taskId)) {
      const installed = byId.get(deviceId)?.installed.filter((version) => version === targetVersion).length ?? 0;
      const isTrue = status === UpgradeStatus.success ? installed === 1 : status === UpgradeStatus.failed && reason > 0;
      if (!isTrue)
        wrong.push(
          `${targetVersion} of ${deviceId}: ${status} for ${reason} (${detail}), installed ${installed} times`,
        );
      tally[status === UpgradeStatus.success ? 'success' : 'failed']++;
    }
  }
  return { wrong, tasks: listed.length, ...tally };
};

/** Errors outside outages. */
export const unexpectedErrors = ({ requests }: Operator, outages: Outage[], graceMs: number): string[] =>
  requests
    .filter(({ errorCode, at, ms }) => errorCode !== '' && isQuiet(outages, at, at + ms, graceMs))
    .map(
      ({ name, at, ms, errorCode }) => `${name} at ${new Date(at).toISOString()} in ${Math.round(ms)} ms: ${errorCode}`,
    );

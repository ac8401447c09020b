import { createPublicKey, hash, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bucketCalls,
  countDevices,
  firmwareCalls,
  otaCalls,
  type TaskRow,
  type VersionRow,
} from '@device-center/contract';
import { expect } from 'vitest';
import type { Hub } from './hub.ts';
import { recordsOf, taskOf } from './ota-fixtures.ts';

const all = { pageSize: 200 } as const;

const folderOf = ({ env }: Hub): string => join(env.DATA_DIR ?? '', 'firmware');
/** Without the marker file by which hubs recognize a shared folder. */
export const firmwareFilesOf = async (hub: Hub): Promise<string[]> =>
  (await readdir(folderOf(hub))).filter((name) => !name.startsWith('.'));

export const versionsOf = async (hub: Hub, tenancyId: string): Promise<VersionRow[]> =>
  (await hub.admin.ok(firmwareCalls.queryDeviceOtaVersionList, { ...all, tenancyId })).list;

export const tasksOf = async (hub: Hub, tenancyId: string): Promise<TaskRow[]> =>
  (await hub.admin.ok(otaCalls.queryDeviceOtaTaskList, { ...all, tenancyId })).list;

/** Expects the file to match the manifest's checksums and the signature to be the hub's. */
export const expectSignedFile = async (hub: Hub, version: VersionRow): Promise<void> => {
  firmwareCalls.addDeviceOtaVersion.input.parse(version);
  const bytes = await readFile(join(folderOf(hub), version.firmwareUri.replace('fw/', '')));
  expect([bytes.length, hash('md5', bytes), hash('sha256', bytes)]).toEqual([
    version.size,
    version.md5,
    version.sha256,
  ]);
  const { versionId, productId, versionNumber, size, sha256 } = version;
  const { manifest } = await hub.admin.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId });
  expect(JSON.parse(manifest.content)).toMatchObject({ productId, versionNumber, size, sha256 });
  const { pem } = await hub.anonymous.ok(bucketCalls.getFirmwareKey, {});
  const signature = Buffer.from(manifest.signature, 'base64');
  expect(verify(null, Buffer.from(manifest.content), createPublicKey(pem), signature)).toBe(true);
};

/** Expects the counts of a task to match its records, and its devices to run the version. */
export const expectConsistent = async (hub: Hub, { taskId }: TaskRow): Promise<void> => {
  const task = await taskOf(hub.admin, taskId);
  otaCalls.addDeviceOtaTask.input.parse({ ...task, taskStart: '', taskEnd: '', executeNow: 1, deviceListId: ['any'] });
  const records = await recordsOf(hub.admin, taskId);
  expect(records.length).toBeGreaterThan(1);
  expect(countDevices(task.tally)).toBe(records.length);
  for (const { status, versionNumber, fromVersion, notifiedTime, endTime, reason, detail } of records) {
    expect(fromVersion).toBe(task.versionNumber[0]);
    expect(status === 6 ? detail !== '' && reason > 0 : detail === '' && reason === 0).toBe(true);
    if (status === 5) expect(versionNumber).not.toBe(fromVersion);
    else expect(versionNumber).toBe(fromVersion);
    if (status !== 0) expect(Date.parse(notifiedTime)).toBeLessThan(Date.parse(endTime));
    if (status !== 0) expect(Date.parse(endTime)).toBeLessThan(Date.now());
  }
  const { list: log } = await hub.admin.ok(otaCalls.getDeviceOtaTaskLog, { taskId });
  expect(log.at(-1)).toMatchObject({ action: 'create', username: task.handler, detail: String(records.length) });
  expect(log[0]?.toStatus).toBe(task.taskStatus);
};

/** A time zone in which it is about noon: the last hour is today there. */
export const noonZone = (): string => {
  const behind = new Date().getUTCHours() - 12;
  return behind === 0 ? 'Etc/UTC' : `Etc/GMT${behind > 0 ? '+' : '-'}${Math.abs(behind)}`;
};

import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import {
  type Failure,
  FIRMWARE_UPLOAD_PATH,
  type FirmwareFile,
  firmwareCalls,
  firmwareFileIdOf,
  firmwareUriOf,
} from '@device-center/contract';
import type { Db } from '../src/db/connect.ts';
import { createFirmwareLinks } from '../src/features/firmware/firmware.links.ts';
import { createSecretBox } from '../src/platform/secret-box.ts';
import type { Client } from './client.ts';
import { type Hub, unique } from './hub.ts';
import { waitFor } from './mailbox.ts';

export const TUS = { 'Tus-Resumable': '1.0.0' };
export const PIECE = { 'Content-Type': 'application/offset+octet-stream' };

export const sums = (bytes: Buffer) => ({
  md5: createHash('md5').update(bytes).digest('hex'),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Random bytes, unique for each file. */
export const randomContent = (length: number): Buffer => randomBytes(length);

type New = { fileName?: string; size?: number | string; tenancyId?: string; headers?: Record<string, string> };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** One raw request of the tus protocol. */
export const tus = (
  { url, token }: Pick<Client, 'url' | 'token'>,
  method: string,
  uploadPath = '',
  headers: Record<string, string> = {},
  body?: Uint8Array,
): Promise<Response> =>
  fetch(new URL(uploadPath || FIRMWARE_UPLOAD_PATH, url), {
    method,
    headers: { ...TUS, ...(token ? { Authorization: token } : {}), 'Accept-Language': 'en-US', ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });

export const create = (client: Client, { fileName, size = 10, tenancyId, headers = {} }: New): Promise<Response> => {
  const words = [
    ...(fileName === undefined ? [] : [`filename ${base64(fileName)}`]),
    ...(tenancyId ? [`tenancyId ${base64(tenancyId)}`] : []),
  ];
  const metadata: Record<string, string> = words.length > 0 ? { 'Upload-Metadata': words.join(',') } : {};
  return tus(client, 'POST', '', { 'Upload-Length': String(size), ...metadata, ...headers });
};

/** Creates an upload and returns its path. */
export const begin = async (client: Client, sent: New): Promise<string> => {
  const answer = await create(client, { fileName: `${unique('fw')}.bin`, ...sent });
  if (answer.status !== 201) throw new Error(`not begun: ${answer.status} ${await answer.text()}`);
  return answer.headers.get('location') ?? '';
};

export const idAt = (uploadPath: string): string => uploadPath.split('/').at(-1) ?? '';
export const uriAt = (uploadPath: string): string => firmwareUriOf(idAt(uploadPath));

export const sendChunk = (client: Client, uploadPath: string, offset: number, bytes: Uint8Array): Promise<Response> =>
  tus(client, 'PATCH', uploadPath, { ...PIECE, 'Upload-Offset': String(offset) }, bytes);

export const offsetAt = async (client: Client, uploadPath: string): Promise<number> =>
  Number((await tus(client, 'HEAD', uploadPath)).headers.get('upload-offset'));

export const refusalOf = async (answer: Response): Promise<Failure> => (await answer.json()) as Failure;

/** Opens a PATCH request of `length` bytes; the test writes its body, slowly or incompletely. */
export const openChunk = ({ url, token }: Client, uploadPath: string, length: number): ClientRequest =>
  httpRequest(new URL(uploadPath, url), {
    method: 'PATCH',
    headers: { ...TUS, ...PIECE, 'Upload-Offset': 0, 'Content-Length': length, Authorization: token },
  });

/** The path of the file of an upload or a firmwareUri. */
export const bytesAt = ({ env }: Pick<Hub, 'env'>, uploadPath: string): string =>
  join(env.DATA_DIR ?? '', 'firmware', idAt(uploadPath));

/** Signs download links as the hub does, with a lifetime of the test's choice. */
export const linkSigner = ({ env, url }: Pick<Hub, 'env' | 'url'>, lifeMs = 60_000) => {
  const secrets = createSecretBox({ SECRET_KEY: undefined, DATA_DIR: env.DATA_DIR ?? '' });
  return createFirmwareLinks({ secrets, publicUrl: () => url, lifeMs });
};

/** Waits for the result of the hub's check of the file. */
export const checked = (client: Client, firmwareUri: string): Promise<FirmwareFile> =>
  waitFor(`${firmwareUri} was checked`, async () => {
    const file = await client.ok(firmwareCalls.getFirmwareFile, { firmwareUri });
    return file.state === 'ready' || file.state === 'failed' ? file : undefined;
  });

/** Uploads a file and waits for its check. */
export const uploaded = async (client: Client, bytes: Buffer, sent: Omit<New, 'size'> = {}): Promise<FirmwareFile> => {
  const uploadPath = await begin(client, { ...sent, size: bytes.length });
  const answer = await sendChunk(client, uploadPath, 0, bytes);
  if (answer.status !== 204) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
  return checked(client, uriAt(uploadPath));
};

type Made = { versionId: string; versionNumber: string; bytes: Buffer; file: FirmwareFile };

/** Creates a version with its own file. */
export const createVersion = async (
  hub: Pick<Hub, 'admin'>,
  { productId, tenancyId }: { productId: string; tenancyId: string },
  versionNumber = `1.0.${Math.floor(Math.random() * 1e9)}`,
  bytes = randomContent(1_000),
): Promise<Made> => {
  const file = await uploaded(hub.admin, bytes, { tenancyId });
  const { firmwareUri, nickName } = file;
  const sent = { versionName: unique('version'), versionNumber, productId, firmwareUri, nickName };
  const { versionId } = await hub.admin.ok(firmwareCalls.addDeviceOtaVersion, sent);
  return { versionId, versionNumber, bytes, file };
};

const LEADER = 'test';
const ledHere = () => ({ leader: LEADER, leader_until: Date.now() + 25_000 });
const leading = new WeakSet<Db>();

/** Holds the leader leases of these tasks, so that no hub changes their rows. */
const holdTaskLeases = (db: Db): void => {
  if (leading.has(db)) return;
  leading.add(db);
  const renew = (): Promise<unknown> =>
    db.updateTable('ota_task').set(ledHere()).where('leader', '=', LEADER).execute();
  // The renewal fails when the test has ended and closed its database.
  const timer = setInterval(() => renew().catch(() => clearInterval(timer)), 2_000);
  timer.unref();
};

const firmwareTask = (hub: Pick<Hub, 'db'>, taskId: string, of: Upgrade, status: number) =>
  hub.db
    .insertInto('ota_task')
    .values({
      task_id: taskId,
      tenancy_id: of.tenancyId,
      version_id: of.versionId,
      version_name: 'x',
      version_number: 'x',
      product_id: of.productId,
      task_name: taskId,
      task_name_key: taskId,
      task_id_key: taskId,
      task_rank: 1,
      task_type: 1,
      status: status as 2,
      complete: 1,
      execute_now: 1,
      start_at: 0,
      end_at: Date.now() + 86_400_000,
      cron: '',
      timezone: 'UTC',
      next_at: 0,
      run_open: 1,
      runs: 1,
      app_id: '',
      from_versions: '',
      chosen: 1,
      stages: '[100]',
      stage_wait_ms: 0,
      per_minute: 0,
      timeout_ms: 1_800_000,
      retries: 0,
      stop_percent: 0,
      stop_after: 10,
      allow_older: 0,
      rehearsal: 0,
      stop_reason: '',
      base_done: 0,
      base_failed: 0,
      stage: 0,
      stage_at: 0,
      slot_at: 0,
      tally: '',
      told: 0,
      ended_at: 0,
      ...ledHere(),
      creator: 'admin',
      created_at: Date.now(),
      updated_at: Date.now(),
    })
    .execute();

type Upgrade = { versionId: string; productId: string; tenancyId: string };

/** Inserts a task that no hub runs, with the given status. */
export const insertTask = async (hub: Pick<Hub, 'db'>, of: Upgrade, status: number): Promise<string> => {
  const taskId = unique('task');
  holdTaskLeases(hub.db);
  await firmwareTask(hub, taskId, of, status);
  return taskId;
};

let nextRecord = 5_000_000;

/** Inserts a device of such a task, notified `attempt` times. */
export const insertTaskDevice = async (
  hub: Pick<Hub, 'db'>,
  taskId: string,
  { deviceId, tenancyId, status, attempt }: { deviceId: string; tenancyId: string; status: number; attempt: number },
): Promise<number> => {
  const recordNo = ++nextRecord;
  const device = await hub.db
    .selectFrom('device')
    .select('registration_no')
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  await hub.db
    .insertInto('ota_device')
    .values({
      record_no: recordNo,
      task_id: taskId,
      tenancy_id: tenancyId,
      device_id: deviceId,
      registration_no: device?.registration_no ?? 0,
      status: status as 2,
      reason: 0,
      detail: '',
      attempt,
      tries: attempt,
      place: 0,
      due_at: 0,
      command_id: 0,
      deadline: Date.now() + 86_400_000,
      percent: 0,
      stage: 1,
      from_version: '',
      told_at: Date.now(),
      reported_at: 0,
      ended_at: 0,
      created_at: Date.now(),
    })
    .execute();
  return recordNo;
};

type Linked = Upgrade & { deviceId: string; firmwareUri: string; lifeMs?: number };

/** Inserts an upgrade in progress and returns its download link. */
export const insertUpgradeLink = async (
  hub: Pick<Hub, 'db' | 'env' | 'url'>,
  { deviceId, firmwareUri, lifeMs, ...of }: Linked,
) => {
  const taskId = await insertTask(hub, of, 2);
  const recordNo = await insertTaskDevice(hub, taskId, { deviceId, tenancyId: of.tenancyId, status: 2, attempt: 1 });
  const link = linkSigner(hub, lifeMs).linkFor({
    fileId: firmwareFileIdOf(firmwareUri),
    deviceId,
    recordNo,
    attempt: 1,
  });
  return { taskId, recordNo, link };
};

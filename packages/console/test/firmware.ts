import { FIRMWARE_UPLOAD_PATH, firmwareCalls } from '@device-center/contract';
import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { admin, adminSession, unique } from './hub.ts';

const CHECK_TIMEOUT = { timeout: 30_000 };

type Upload = {
  fileName: string;
  bytes: Uint8Array<ArrayBuffer>;
  tenancyId: string;
  /** Number of bytes to send; all by default. */
  sent?: number;
};

/** Uploads a file to the hub without the console. Returns its firmwareUri and the URL that continues the upload. */
export const uploadFirmware = async ({ fileName, bytes, tenancyId, sent = bytes.length }: Upload) => {
  const { fetch } = document.defaultView ?? window;
  const headers = { 'Tus-Resumable': '1.0.0', Authorization: (await adminSession()).token };
  const metadata = `filename ${btoa(fileName)},tenancyId ${btoa(tenancyId)}`;
  const created = await fetch(FIRMWARE_UPLOAD_PATH, {
    method: 'POST',
    headers: { ...headers, 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata },
  });
  const uploadUrl = created.headers.get('location') ?? '';
  await fetch(uploadUrl, {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: bytes.slice(0, sent),
  });
  return { firmwareUri: `fw/${uploadUrl.split('/').at(-1)}`, uploadUrl };
};

type Version = { productId: string; tenancyId: string; versionNumber: string };

/** Creates a version whose file is uploaded and verified. */
export const createFirmwareVersion = async ({ productId, tenancyId, versionNumber }: Version) => {
  const operator = await admin();
  const versionName = unique('version');
  const nickName = `${versionName}.bin`;
  const bytes = new TextEncoder().encode(`firmware ${versionName}`);
  const { firmwareUri } = await uploadFirmware({ fileName: nickName, bytes, tenancyId });
  await waitFor(async () => {
    expect((await operator.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).state).toBe('ready');
  }, CHECK_TIMEOUT);
  const fields = { versionName, versionNumber, productId, firmwareUri, nickName };
  const { versionId } = await operator.ok(firmwareCalls.addDeviceOtaVersion, fields);
  return { ...fields, versionId };
};

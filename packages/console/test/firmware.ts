import { FIRMWARE_UPLOAD_PATH, firmwareCalls } from '@device-center/contract';
import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { admin, adminSession, unique } from './hub.ts';

const PATIENCE = { timeout: 30_000 };

type Upload = {
  fileName: string;
  bytes: Uint8Array<ArrayBuffer>;
  tenancyId: string;
  /** How many of the bytes are sent; all of them unless told. */
  sent?: number;
};

/** A file on the hub, sent beside the console; answers its firmwareUri and where it can be continued. */
export const uploadFirmware = async ({ fileName, bytes, tenancyId, sent = bytes.length }: Upload) => {
  const { fetch } = document.defaultView ?? window;
  const headers = { 'Tus-Resumable': '1.0.0', Authorization: (await adminSession()).token };
  const metadata = `filename ${btoa(fileName)},tenancyId ${btoa(tenancyId)}`;
  const made = await fetch(FIRMWARE_UPLOAD_PATH, {
    method: 'POST',
    headers: { ...headers, 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata },
  });
  const place = made.headers.get('location') ?? '';
  await fetch(place, {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    body: bytes.slice(0, sent),
  });
  return { firmwareUri: `fw/${place.split('/').at(-1)}`, place };
};

type Version = { productId: string; tenancyId: string; versionNumber: string };

/** A version whose file was uploaded and found good. */
export const newVersion = async ({ productId, tenancyId, versionNumber }: Version) => {
  const operator = await admin();
  const versionName = unique('version');
  const nickName = `${versionName}.bin`;
  const bytes = new TextEncoder().encode(`firmware ${versionName}`);
  const { firmwareUri } = await uploadFirmware({ fileName: nickName, bytes, tenancyId });
  await waitFor(async () => {
    expect((await operator.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).state).toBe('ready');
  }, PATIENCE);
  const fields = { versionName, versionNumber, productId, firmwareUri, nickName };
  const { versionId } = await operator.ok(firmwareCalls.addDeviceOtaVersion, fields);
  return { ...fields, versionId };
};

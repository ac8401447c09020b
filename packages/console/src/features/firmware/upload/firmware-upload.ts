import {
  type Failure,
  FIRMWARE_UPLOAD_PATH,
  type FirmwareFile,
  firmwareCalls,
  firmwareUriOf,
} from '@device-center/contract';
import i18next from 'i18next';
import { DetailedError, defaultOptions, type HttpResponse, type PreviousUpload, Upload } from 'tus-js-client';
import { ApiError, NETWORK_CODE } from '../../../api/api-error.ts';
import { hubHeaders, send } from '../../../api/send.ts';

/** One request never lasts long, and little is sent twice after a break. */
const PIECE_BYTES = 8 * 1024 * 1024;
const RETRY_DELAYS_MS = [500, 1_000, 3_000, 5_000, 10_000];
/** Another request still holds the upload, it stands elsewhere than thought, or there were too many. */
const PASSING = [409, 423, 429];

/** Who uploads for which tenant: on a shared computer nobody goes on with somebody else's file. */
export type Owner = { userId: string; tenancyId: string };

export type UploadEvents = {
  onProgress: (sent: number) => void;
  onArrived: (firmwareUri: string) => void;
  /** Neither by hand nor at its end. */
  onStopped: (error: ApiError) => void;
};

export type FirmwareUpload = {
  start: () => void;
  pause: () => void;
  /** Done when nobody is asked to go on with it; what has arrived is deleted behind that. */
  cancel: () => Promise<void>;
};

/** Begun some time ago and not used since: either not all of it has arrived, or no version was made of it. */
export type UnusedUpload = { firmwareUri: string; file: FirmwareFile };

const storage = defaultOptions.urlStorage;
const prefixOf = ({ userId, tenancyId }: Owner): string => `firmware-${userId}-${tenancyId}-`;
const uriOf = (uploadUrl: string): string => firmwareUriOf(uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1));

const readFailure = (response: HttpResponse): Partial<Failure> => {
  try {
    return JSON.parse(response.getBody()) as Failure;
  } catch {
    // What answers HEAD has no body, and a proxy has one of its own.
    return {};
  }
};

const errorOf = (error: Error | DetailedError): ApiError => {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response)
    return new ApiError({ status: 0, code: NETWORK_CODE, message: i18next.t('firmware:uploadNoConnection') });
  const status = response.getStatus();
  const { code = `HTTP_${status}`, message, requestId } = readFailure(response);
  const gone = status === 404 || status === 410;
  const text = gone ? i18next.t('firmware:uploadGone') : (message ?? i18next.t('firmware:uploadFailed', { code }));
  return new ApiError({ status, code, message: text, requestId });
};

const mayPass = ({ originalResponse }: DetailedError): boolean => {
  const status = originalResponse?.getStatus() ?? 0;
  return navigator.onLine && (status === 0 || status >= 500 || PASSING.includes(status));
};

/** As the hub knows it; null where it can be of no further use. */
const lookAt = async (previous: PreviousUpload): Promise<UnusedUpload | null> => {
  const firmwareUri = uriOf(previous.uploadUrl ?? '');
  try {
    const file = await send(firmwareCalls.getFirmwareFile, { firmwareUri });
    return file.state === 'failed' || file.expireTime === '' ? null : { firmwareUri, file };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
};

const stillUseful = async (found: PreviousUpload[]): Promise<(UnusedUpload & { previous: PreviousUpload })[]> => {
  const useful = [];
  for (const previous of found) {
    const unused = await lookAt(previous);
    if (unused) useful.push({ ...unused, previous });
    else await storage.removeUpload(previous.urlStorageKey);
  }
  return useful;
};

export const findUnusedUploads = async (owner: Owner): Promise<UnusedUpload[]> => {
  const all = await storage.findAllUploads();
  return stillUseful(all.filter(({ urlStorageKey }) => urlStorageKey.startsWith(`tus::${prefixOf(owner)}`)));
};

/** Nobody is asked to go on with it: a version uses it, or it was thrown away. */
export const forgetUpload = async (firmwareUri: string): Promise<void> => {
  for (const { uploadUrl, urlStorageKey } of await storage.findAllUploads())
    if (uploadUrl !== null && uriOf(uploadUrl) === firmwareUri) await storage.removeUpload(urlStorageKey);
};

/** Goes on where an earlier upload of the same file stopped, after a reload too. */
export const createFirmwareUpload = async (file: File, owner: Owner, events: UploadEvents): Promise<FirmwareUpload> => {
  const upload = new Upload(file, {
    endpoint: new URL(FIRMWARE_UPLOAD_PATH, location.origin).href,
    metadata: { filename: file.name, tenancyId: owner.tenancyId },
    fingerprint: async () => `${prefixOf(owner)}${file.name}-${file.size}-${file.lastModified}`,
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    onBeforeRequest: (request) => {
      for (const [name, value] of hubHeaders()) request.setHeader(name, value);
    },
    onUploadUrlAvailable: () => {
      // Else whatever goes wrong while the hub is asked how far it is would begin a new upload.
      upload.options.endpoint = null;
    },
    onShouldRetry: mayPass,
    onProgress: events.onProgress,
    onSuccess: () => events.onArrived(uriOf(upload.url ?? '')),
    onError: (error) => events.onStopped(errorOf(error)),
  });
  const [earlier] = await stillUseful(await upload.findPreviousUploads());
  if (earlier) upload.resumeFromPreviousUpload(earlier.previous);
  return {
    start: () => upload.start(),
    pause: () => void upload.abort(),
    cancel: async () => {
      void upload.abort();
      if (upload.url !== null) await forgetUpload(uriOf(upload.url));
      // What cannot be deleted now, the hub deletes within a day.
      upload.abort(true).catch(() => undefined);
    },
  };
};

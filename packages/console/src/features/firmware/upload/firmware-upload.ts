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

/** Keeps requests short, so that little is sent again after an interruption. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const RETRY_DELAYS_MS = [500, 1_000, 3_000, 5_000, 10_000];
/** The offset does not match, another request locks the upload, or there are too many requests. */
const RETRYABLE_STATUSES = [409, 423, 429];

/** User and tenant of an upload: on a shared computer a user must not resume another user's upload. */
export type Owner = { userId: string; tenancyId: string };

export type UploadEvents = {
  onProgress: (sent: number) => void;
  onUploaded: (firmwareUri: string) => void;
  /** Stopped by an error. */
  onStopped: (error: ApiError) => void;
};

export type FirmwareUpload = {
  start: () => void;
  pause: () => void;
  /** Resolves when the upload can no longer be resumed. The received part is deleted in the background. */
  cancel: () => Promise<void>;
};

/** An earlier upload that is incomplete, or complete but not used by a version. */
export type UnusedUpload = { firmwareUri: string; file: FirmwareFile };

const storage = defaultOptions.urlStorage;
const prefixOf = ({ userId, tenancyId }: Owner): string => `firmware-${userId}-${tenancyId}-`;
const uriOf = (uploadUrl: string): string => firmwareUriOf(uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1));

const readFailure = (response: HttpResponse): Partial<Failure> => {
  try {
    return JSON.parse(response.getBody()) as Failure;
  } catch {
    // A response to HEAD has no body, and a proxy sends a body of its own.
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

const isRetryable = ({ originalResponse }: DetailedError): boolean => {
  const status = originalResponse?.getStatus() ?? 0;
  return navigator.onLine && (status === 0 || status >= 500 || RETRYABLE_STATUSES.includes(status));
};

/** Looks up an upload at the hub; null if it can no longer be used. */
const lookUpUpload = async (previous: PreviousUpload): Promise<UnusedUpload | null> => {
  const firmwareUri = uriOf(previous.uploadUrl ?? '');
  try {
    const file = await send(firmwareCalls.getFirmwareFile, { firmwareUri });
    return file.state === 'failed' || file.expireTime === '' ? null : { firmwareUri, file };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
};

const filterUsable = async (found: PreviousUpload[]): Promise<(UnusedUpload & { previous: PreviousUpload })[]> => {
  const usable = [];
  for (const previous of found) {
    const unused = await lookUpUpload(previous);
    if (unused) usable.push({ ...unused, previous });
    else await storage.removeUpload(previous.urlStorageKey);
  }
  return usable;
};

export const findUnusedUploads = async (owner: Owner): Promise<UnusedUpload[]> => {
  const all = await storage.findAllUploads();
  return filterUsable(all.filter(({ urlStorageKey }) => urlStorageKey.startsWith(`tus::${prefixOf(owner)}`)));
};

/** Removes an upload from the browser's storage, because a version uses it or the user discarded it. */
export const forgetUpload = async (firmwareUri: string): Promise<void> => {
  for (const { uploadUrl, urlStorageKey } of await storage.findAllUploads())
    if (uploadUrl !== null && uriOf(uploadUrl) === firmwareUri) await storage.removeUpload(urlStorageKey);
};

/** Resumes an earlier upload of the same file, also after a reload. */
export const createFirmwareUpload = async (file: File, owner: Owner, events: UploadEvents): Promise<FirmwareUpload> => {
  const upload = new Upload(file, {
    endpoint: new URL(FIRMWARE_UPLOAD_PATH, location.origin).href,
    metadata: { filename: file.name, tenancyId: owner.tenancyId },
    fingerprint: async () => `${prefixOf(owner)}${file.name}-${file.size}-${file.lastModified}`,
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    onBeforeRequest: (request) => {
      for (const [name, value] of hubHeaders()) request.setHeader(name, value);
    },
    onUploadUrlAvailable: () => {
      // Otherwise tus-js-client starts a new upload when the request for the offset fails.
      upload.options.endpoint = null;
    },
    onShouldRetry: isRetryable,
    onProgress: events.onProgress,
    onSuccess: () => events.onUploaded(uriOf(upload.url ?? '')),
    onError: (error) => events.onStopped(errorOf(error)),
  });
  const [earlier] = await filterUsable(await upload.findPreviousUploads());
  if (earlier) upload.resumeFromPreviousUpload(earlier.previous);
  return {
    start: () => upload.start(),
    pause: () => void upload.abort(),
    cancel: async () => {
      void upload.abort();
      if (upload.url !== null) await forgetUpload(uriOf(upload.url));
      // If this fails, the hub deletes the upload within a day.
      upload.abort(true).catch(() => undefined);
    },
  };
};

import type { Readable } from 'node:stream';
import { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { type MetadataValue, S3Store } from '@tus/s3-store';
import { MemoryKvStore, type Upload } from '@tus/server';
import { AppError } from '../app-error.ts';
import { type ByteRange, FileLost, type FileStore, type StoredThing } from './file-store.ts';
import type { S3Place } from './place.ts';

/** Beside each file lies what tus knows of its upload, and an end of it that is too short for a part. */
const SIDE_THINGS = ['.info', '.part'];
const PART_BYTES = 8 * 1024 * 1024;
/** Each waits on the disk until it is sent. */
const PARTS_AT_ONCE = 4;
const CONNECT_WITHIN_MS = 5_000;
const SILENT_FOR_MS = 60_000;

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** Whatever else goes wrong there goes wrong for everybody who asks now, and may be right again later. */
const away = (cause: unknown): AppError => Object.assign(new AppError('UNAVAILABLE'), { cause });

const unlessMissing = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw away(error);
  }
};

/** By itself it takes a store that does not answer for one that has no such upload, and clients then begin anew. */
class PatientS3Store extends S3Store {
  override async getUpload(key: string): Promise<Upload> {
    await unlessMissing(this.getMetadata(key));
    return super.getUpload(key);
  }

  override async write(source: Readable, key: string, offset: number): Promise<number> {
    try {
      return await super.write(source, key, offset);
    } catch (error) {
      throw away(error);
    }
  }
}

const configOf = ({ endpoint, region, credentials }: S3Place) => ({
  region,
  ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  ...(credentials ? { credentials } : {}),
  // Newer checksums are unknown to many a store that speaks S3 otherwise.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
  requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, requestTimeout: SILENT_FOR_MS },
});

/** Files in S3 or whatever speaks it. */
export const createS3Files = (place: S3Place): FileStore => {
  const { bucket: Bucket, prefix } = place;
  const client = new S3(configOf(place));
  const notes = new MemoryKvStore<MetadataValue>();
  const tus = new PatientS3Store({
    cache: notes,
    partSize: PART_BYTES,
    maxConcurrentPartUploads: PARTS_AT_ONCE,
    useTags: false,
    s3ClientConfig: { ...configOf(place), bucket: Bucket },
  });
  const keyOf = (fileId: string): string => prefix + fileId;
  const fileIdOf = (key: string): string => key.slice(prefix.length);

  const sizeOf = async (fileId: string): Promise<number | undefined> =>
    (await unlessMissing(client.headObject({ Bucket, Key: keyOf(fileId) })))?.ContentLength;

  /** Of an upload that is not over; of one that is, there is nothing to abort. */
  const abortUpload = async (fileId: string): Promise<void> => {
    const Key = keyOf(fileId);
    const note = await unlessMissing(client.headObject({ Bucket, Key: `${Key}.info` }));
    const UploadId = note?.Metadata?.['upload-id'];
    if (UploadId) await unlessMissing(client.abortMultipartUpload({ Bucket, Key, UploadId }));
  };

  return {
    tus: async () => tus,
    keyOf,
    fileIdOf,
    sizeOf,

    async received(fileId) {
      const whole = await sizeOf(fileId);
      if (whole !== undefined) return whole;
      const note = await unlessMissing(client.headObject({ Bucket, Key: `${keyOf(fileId)}.info` }));
      return note ? (await tus.getUpload(keyOf(fileId))).offset : undefined;
    },

    async read(fileId: string, range?: ByteRange) {
      const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
      const found = await unlessMissing(client.getObject({ Bucket, Key: keyOf(fileId), Range }));
      if (!found?.Body) throw new FileLost(fileId);
      return found.Body as Readable;
    },

    async remove(fileId) {
      await abortUpload(fileId);
      await notes.delete(keyOf(fileId));
      for (const ending of ['', ...SIDE_THINGS])
        await unlessMissing(client.deleteObject({ Bucket, Key: keyOf(fileId) + ending }));
    },

    async *list(): AsyncIterable<StoredThing> {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.listObjectsV2({ Bucket, Prefix: prefix, ContinuationToken });
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const name = fileIdOf(Key);
          const fileId = name.replace(/\.(info|part)$/, '');
          yield { fileId, itself: fileId === name, changedAt: LastModified?.getTime() ?? Date.now() };
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },
  };
};

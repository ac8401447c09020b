import type { Readable } from 'node:stream';
import { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { type MetadataValue, S3Store } from '@tus/s3-store';
import { MemoryKvStore, type Upload } from '@tus/server';
import { AppError } from '../app-error.ts';
import { type ByteRange, FileMissingError, type FileStore, type StoredObject } from './file-store.ts';
import type { S3Location } from './file-store-location.ts';

/** Suffixes of the objects that tus stores beside a file: the upload state, and a remainder too short for a part. */
const SIDE_SUFFIXES = ['.info', '.part'];
const PART_BYTES = 8 * 1024 * 1024;
/** Each part is buffered on disk until it is sent. */
const CONCURRENT_PARTS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

/** Any other failure of the store affects all requests and may be temporary. */
const unavailable = (cause: unknown): AppError => Object.assign(new AppError('UNAVAILABLE'), { cause });

const ignoreMissing = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unavailable(error);
  }
};

/** S3Store treats an unavailable store like a missing upload, and clients would then start over. */
class StrictS3Store extends S3Store {
  override async getUpload(key: string): Promise<Upload> {
    await ignoreMissing(this.getMetadata(key));
    return super.getUpload(key);
  }

  override async write(source: Readable, key: string, offset: number): Promise<number> {
    try {
      return await super.write(source, key, offset);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

const configOf = ({ endpoint, region, credentials }: S3Location) => ({
  region,
  ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  ...(credentials ? { credentials } : {}),
  // Many S3-compatible stores do not support the newer checksums.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
  requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: IDLE_TIMEOUT_MS },
});

/** File store in S3 or a compatible service. */
export const createS3Files = (location: S3Location): FileStore => {
  const { bucket: Bucket, prefix } = location;
  const client = new S3(configOf(location));
  const metadata = new MemoryKvStore<MetadataValue>();
  const tus = new StrictS3Store({
    cache: metadata,
    partSize: PART_BYTES,
    maxConcurrentPartUploads: CONCURRENT_PARTS,
    useTags: false,
    s3ClientConfig: { ...configOf(location), bucket: Bucket },
  });
  const keyOf = (fileId: string): string => prefix + fileId;
  const fileIdOf = (key: string): string => key.slice(prefix.length);

  const sizeOf = async (fileId: string): Promise<number | undefined> =>
    (await ignoreMissing(client.headObject({ Bucket, Key: keyOf(fileId) })))?.ContentLength;

  /** Aborts an unfinished multipart upload; does nothing for a finished one. */
  const abortUpload = async (fileId: string): Promise<void> => {
    const Key = keyOf(fileId);
    const info = await ignoreMissing(client.headObject({ Bucket, Key: `${Key}.info` }));
    const UploadId = info?.Metadata?.['upload-id'];
    if (UploadId) await ignoreMissing(client.abortMultipartUpload({ Bucket, Key, UploadId }));
  };

  return {
    tus: async () => tus,
    keyOf,
    fileIdOf,
    sizeOf,

    async received(fileId) {
      const whole = await sizeOf(fileId);
      if (whole !== undefined) return whole;
      const info = await ignoreMissing(client.headObject({ Bucket, Key: `${keyOf(fileId)}.info` }));
      return info ? (await tus.getUpload(keyOf(fileId))).offset : undefined;
    },

    async read(fileId: string, range?: ByteRange) {
      const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
      const found = await ignoreMissing(client.getObject({ Bucket, Key: keyOf(fileId), Range }));
      if (!found?.Body) throw new FileMissingError(fileId);
      return found.Body as Readable;
    },

    async remove(fileId) {
      await abortUpload(fileId);
      await metadata.delete(keyOf(fileId));
      for (const ending of ['', ...SIDE_SUFFIXES])
        await ignoreMissing(client.deleteObject({ Bucket, Key: keyOf(fileId) + ending }));
    },

    async *list(): AsyncIterable<StoredObject> {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.listObjectsV2({ Bucket, Prefix: prefix, ContinuationToken });
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const name = fileIdOf(Key);
          const fileId = name.replace(/\.(info|part)$/, '');
          yield { fileId, isFile: fileId === name, changedAt: LastModified?.getTime() ?? Date.now() };
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },
  };
};

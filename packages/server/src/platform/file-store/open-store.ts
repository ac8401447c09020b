import type { FileStore } from './file-store.ts';
import { folderOf, type StoreSettings } from './folder.ts';
import { createLocalFiles } from './local-files.ts';

export const createFileStore = async (settings: StoreSettings): Promise<FileStore> => {
  const { FILE_STORE: location } = settings;
  if (location?.kind !== 's3') return createLocalFiles(folderOf(settings) ?? '');
  // Loaded on demand: the S3 library is large, and most hubs do not use it.
  const { createS3Files } = await import('./s3-files.ts');
  return createS3Files(location);
};

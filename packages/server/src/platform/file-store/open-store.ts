import type { FileStore } from './file-store.ts';
import { folderOf, type StoreSettings } from './folder.ts';
import { createLocalFiles } from './local-files.ts';

export const createFileStore = async (settings: StoreSettings): Promise<FileStore> => {
  const { FILE_STORE: place } = settings;
  if (place?.kind !== 's3') return createLocalFiles(folderOf(settings) ?? '');
  // Its library is large, and most hubs have no use for it.
  const { createS3Files } = await import('./s3-files.ts');
  return createS3Files(place);
};

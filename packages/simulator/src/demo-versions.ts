import { openSecrets } from './secrets.ts';

export type Versions = {
  of: (deviceId: string) => string | undefined;
  keep: (deviceId: string, versionNumber: string) => void;
};

/** Installed versions, stored in a file of the same format as the secrets, so that they survive a restart. */
export const openVersions = (file: string): Versions => openSecrets(file);

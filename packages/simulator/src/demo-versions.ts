import { openSecrets } from './secrets.ts';

export type Versions = {
  of: (deviceId: string) => string | undefined;
  keep: (deviceId: string, versionNumber: string) => void;
};

/** What was installed outlives the program: a file of the same make as that of the secrets. */
export const openVersions = (file: string): Versions => openSecrets(file);

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type Secrets = {
  of: (deviceId: string) => string | undefined;
  keep: (deviceId: string, secret: string) => void;
};

/**
 * Stores the devices' own secrets, one per line; a device's last line counts. Appends at once: a device whose secret is
 * lost can no longer log in.
 */
export const openSecrets = (file: string): Secrets => {
  const known = new Map<string, string>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [deviceId, secret] = line.split(' ');
    if (deviceId && secret) known.set(deviceId, secret);
  }
  return {
    of: (deviceId) => known.get(deviceId),
    keep: (deviceId, secret) => {
      known.set(deviceId, secret);
      appendFileSync(file, `${deviceId} ${secret}\n`, { mode: 0o600 });
    },
  };
};

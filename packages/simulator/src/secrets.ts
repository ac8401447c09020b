import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type Secrets = {
  of: (deviceId: string) => string | undefined;
  keep: (deviceId: string, secret: string) => void;
};

/**
 * The devices' own secrets, a line each; the last of a device counts. Written at once and only ever added to: a
 * secret that is lost locks its device out.
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

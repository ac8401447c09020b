import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Log } from './log.ts';
import { type Settings, SettingsError } from './settings.ts';

export type TlsFiles = { cert: Buffer; key: Buffer; port: number };

const read = (name: 'TLS_CERT' | 'TLS_KEY', file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`${name}: ${(error as Error).message}`);
  }
};

/** The certificate and key of the MQTT listener with TLS, held against each other; nothing when none are given. */
export const readTlsFiles = ({ TLS_CERT, TLS_KEY, MQTTS_PORT }: Settings): TlsFiles | undefined => {
  if (!TLS_CERT && !TLS_KEY) return undefined;
  if (!TLS_CERT || !TLS_KEY) throw new SettingsError('TLS_CERT and TLS_KEY belong together');
  const [cert, key] = [read('TLS_CERT', TLS_CERT), read('TLS_KEY', TLS_KEY)];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new SettingsError(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}`);
  }
  return { cert, key, port: MQTTS_PORT };
};

/**
 * Calls `replace` when the certificate files have changed. They are read, not watched: a Kubernetes secret changes by
 * moving a symbolic link, which watchers miss. A certificate that cannot be used is logged once, and the old one stays.
 */
export const followTlsFiles = (
  settings: Settings,
  { loaded, log, replace }: { loaded: TlsFiles; log: Log; replace: (files: TlsFiles) => void },
) => {
  let current = loaded;
  let complaint = '';

  const read = (): TlsFiles | undefined => {
    try {
      const found = readTlsFiles(settings);
      complaint = '';
      return found;
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) log.error(`the certificate in use stays: ${message}`);
      complaint = message;
      return undefined;
    }
  };

  const check = (): void => {
    const found = read();
    if (!found || (found.cert.equals(current.cert) && found.key.equals(current.key))) return;
    current = found;
    replace(found);
    const { serialNumber, validTo } = new X509Certificate(found.cert);
    log.info({ serialNumber, validTo }, 'new connections get the new certificate');
  };

  return {
    check,
    /** At an operator's request: a failure is logged even if it was before. */
    reload: (): void => {
      complaint = '';
      check();
    },
  };
};

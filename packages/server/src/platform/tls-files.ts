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

/** Reads certificate and key of the MQTT listener with TLS and checks that they match; undefined if not configured. */
export const readTlsFiles = ({ TLS_CERT, TLS_KEY, MQTTS_PORT }: Settings): TlsFiles | undefined => {
  if (!TLS_CERT && !TLS_KEY) return undefined;
  if (!TLS_CERT || !TLS_KEY) throw new SettingsError('TLS_CERT and TLS_KEY must be set together');
  const [cert, key] = [read('TLS_CERT', TLS_CERT), read('TLS_KEY', TLS_KEY)];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new SettingsError(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}`);
  }
  return { cert, key, port: MQTTS_PORT };
};

/**
 * Calls `replace` when the certificate files have changed. Files are polled, not watched: a Kubernetes secret changes
 * by moving a symbolic link, which watchers miss. An invalid certificate is logged once, and the old one stays in use.
 */
export const followTlsFiles = (
  settings: Settings,
  { loaded, log, replace }: { loaded: TlsFiles; log: Log; replace: (files: TlsFiles) => void },
) => {
  let current = loaded;
  let lastError = '';

  const read = (): TlsFiles | undefined => {
    try {
      const found = readTlsFiles(settings);
      lastError = '';
      return found;
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastError) log.error({ err: error }, 'certificate reload failed, keeping the present one');
      lastError = message;
      return undefined;
    }
  };

  const check = (): void => {
    const found = read();
    if (!found || (found.cert.equals(current.cert) && found.key.equals(current.key))) return;
    current = found;
    replace(found);
    const { serialNumber, validTo } = new X509Certificate(found.cert);
    log.info({ serialNumber, validTo }, 'certificate reloaded');
  };

  return {
    check,
    /** On an operator's request: logs a failure even if it was logged before. */
    reload: (): void => {
      lastError = '';
      check();
    },
  };
};

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
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

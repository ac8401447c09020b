import { fork } from 'node:child_process';
import type { ErrorCode, ErrorParams } from '@device-center/contract';
import { AppError } from '../../platform/app-error.ts';
import { programUrl } from '../../platform/locations.ts';
import { type CertificateFile, type ReadCertificate, tooCostlyError } from './zone.certificate.ts';

export type ReadAnswer =
  | { read: ReadCertificate }
  | { error: { code: ErrorCode; params: ErrorParams; field: string | undefined } }
  | { tooCostly: true };

/** Time limit for reading, from when the process has the file; a usual file takes some milliseconds. */
const READ_TIMEOUT_MS = 5_000;
const START_TIMEOUT_MS = 30_000;

const resultOf = (input: CertificateFile, answer: ReadAnswer): ReadCertificate => {
  if ('read' in answer) return answer.read;
  if ('tooCostly' in answer) throw tooCostlyError(input);
  const { code, params, field } = answer.error;
  throw new AppError(code, params, field);
};

/**
 * Reads a certificate file in a separate process without the hub's settings. The file itself sets the number of hash
 * iterations of its password, up to two thousand million. OpenSSL cannot be interrupted, so within the admin process
 * such a file would block all other requests.
 */
export const readCertificateIsolated = (input: CertificateFile): Promise<ReadCertificate> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const child = fork(programUrl('features/zone/certificate-process.ts'), {
    serialization: 'advanced',
    env: { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
  });
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    let sent = false;
    child.on('message', (message: 'ready' | ReadAnswer) => {
      clearTimeout(timer);
      if (message !== 'ready') {
        try {
          resolve(resultOf(input, message));
        } catch (error) {
          reject(error as Error);
        }
        return;
      }
      sent = true;
      timer = setTimeout(() => child.kill('SIGKILL'), READ_TIMEOUT_MS);
      child.send(input);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // After an answer the promise is settled, and this rejection has no effect.
      const timedOut = sent && signal === 'SIGKILL';
      reject(timedOut ? tooCostlyError(input) : new Error(`certificate process ended with ${code ?? signal}`));
    });
  });
};

import { fork } from 'node:child_process';
import type { ErrorCode, ErrorParams } from '@device-center/contract';
import { AppError } from '../../platform/app-error.ts';
import { programUrl } from '../../platform/locations.ts';
import { type Asked, type ReadCertificate, tooCostly } from './zone.certificate.ts';

export type ReadAnswer =
  | { read: ReadCertificate }
  | { refusal: { code: ErrorCode; params: ErrorParams; field: string | undefined } }
  | { tooCostly: true };

/** Once it has the file; one that anybody would use takes some milliseconds. */
const READ_WITHIN_MS = 5_000;
const START_WITHIN_MS = 30_000;

const settled = (asked: Asked, answer: ReadAnswer): ReadCertificate => {
  if ('read' in answer) return answer.read;
  if ('tooCostly' in answer) throw tooCostly(asked);
  const { code, params, field } = answer.refusal;
  throw new AppError(code, params, field);
};

/**
 * Reads a certificate file in a process of its own, which knows none of the hub's settings. A file says itself how
 * often its password is hashed, up to two thousand million times, and OpenSSL obeys: nothing within this process
 * could stop it, and nobody else would be served meanwhile.
 */
export const readCertificateApart = (asked: Asked): Promise<ReadCertificate> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const child = fork(programUrl('features/zone/certificate-process.ts'), {
    serialization: 'advanced',
    env: { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
  });
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
    let sent = false;
    child.on('message', (message: 'ready' | ReadAnswer) => {
      clearTimeout(timer);
      if (message !== 'ready') {
        try {
          resolve(settled(asked, message));
        } catch (error) {
          reject(error as Error);
        }
        return;
      }
      sent = true;
      timer = setTimeout(() => child.kill('SIGKILL'), READ_WITHIN_MS);
      child.send(asked);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // After an answer this is nobody's news any more.
      const late = sent && signal === 'SIGKILL';
      reject(late ? tooCostly(asked) : new Error(`reading a certificate ended with ${code ?? signal}`));
    });
  });
};

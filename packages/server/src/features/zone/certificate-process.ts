import { AppError } from '../../platform/app-error.ts';
import { type Asked, isTooCostly, readCertificate } from './zone.certificate.ts';
import type { ReadAnswer } from './zone.certificate-reader.ts';

/** Reads the one file that it is sent, and leaves. Whoever waits for it ends it when it takes too long. */
const read = (asked: Asked): ReadAnswer => {
  try {
    const certificate = readCertificate(asked);
    // It is opened again for every connection, in the middle of other work.
    if (isTooCostly(process.cpuUsage(began))) return { tooCostly: true };
    return { read: certificate };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, params, field } = error;
    return { refusal: { code, params, field } };
  }
};

let began = process.cpuUsage();
process.once('message', (asked: Asked) => {
  began = process.cpuUsage();
  process.send?.(read(asked), () => process.disconnect());
});
process.send?.('ready');

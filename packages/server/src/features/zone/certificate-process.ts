import { AppError } from '../../platform/app-error.ts';
import { type CertificateFile, isTooCostly, readCertificate } from './zone.certificate.ts';
import type { ReadAnswer } from './zone.certificate-reader.ts';

/** Reads one file and exits. The parent process kills it when it takes too long. */
const read = (input: CertificateFile): ReadAnswer => {
  try {
    const certificate = readCertificate(input);
    // The device process opens the file again for every connection, so opening it must be cheap.
    if (isTooCostly(process.cpuUsage(cpuAtStart))) return { tooCostly: true };
    return { read: certificate };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, params, field } = error;
    return { error: { code, params, field } };
  }
};

let cpuAtStart = process.cpuUsage();
process.once('message', (input: CertificateFile) => {
  cpuAtStart = process.cpuUsage();
  process.send?.(read(input), () => process.disconnect());
});
process.send?.('ready');

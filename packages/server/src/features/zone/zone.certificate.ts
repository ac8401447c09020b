import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type CertificateInfo, certificateExtensions, type Language, type Text } from '@device-center/contract';
import type { UploadedFile } from '../../http/parse-input.ts';
import { AppError } from '../../platform/app-error.ts';
import type { NodeCertificate } from '../../platform/outbound/open-socket.ts';

export type ReadCertificate = { certificate: NodeCertificate; facts: CertificateInfo };

export type CertificateFile = { file: UploadedFile; password: string; field: string; language: Language };

const reasons = {
  none: { zh_CN: '文件中没有证书', en_US: 'the file contains no certificate' },
  broken: { zh_CN: '文件已损坏', en_US: 'the file is damaged' },
  key: { zh_CN: '私钥无法读取', en_US: 'the private key cannot be read' },
  otherKey: { zh_CN: '私钥与证书不匹配', en_US: 'the private key belongs to another certificate' },
  old: {
    zh_CN: '文件的加密方式过旧，请用 AES-256 重新导出',
    en_US: 'its encryption is too old, export it again with AES-256',
  },
  costly: {
    zh_CN: '打开该文件耗时过长，请减少密码迭代次数后重新导出',
    en_US: 'it takes too long to open, export it again with fewer password iterations',
  },
} as const satisfies Record<string, Text>;

const CERTIFICATES =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?-----END (?:[A-Z]+ )*PRIVATE KEY-----/;

const unreadable = ({ field, language }: CertificateFile, reason: keyof typeof reasons): AppError =>
  new AppError('CERTIFICATE_UNREADABLE', { reason: reasons[reason][language] }, field);

/** A usual file takes some milliseconds of CPU time. */
const CPU_MAX_MS = 500;

export const isTooCostly = ({ user, system }: NodeJS.CpuUsage): boolean => (user + system) / 1_000 > CPU_MAX_MS;

export const tooCostlyError = (input: CertificateFile): AppError => unreadable(input, 'costly');

const parse = (input: CertificateFile, bytes: Buffer | string): X509Certificate => {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw unreadable(input, 'broken');
  }
};

/** Rejects an unusable certificate when it is uploaded, and not when devices connect. */
const checkTime = (certificates: X509Certificate[], field: string): void => {
  const now = Date.now();
  for (const { validFromDate, validToDate } of certificates) {
    if (validToDate.getTime() <= now)
      throw new AppError('CERTIFICATE_EXPIRED', { validTo: validToDate.toISOString() }, field);
    if (validFromDate.getTime() > now)
      throw new AppError('CERTIFICATE_NOT_YET', { validFrom: validFromDate.toISOString() }, field);
  }
};

const oneLine = (name: string | undefined): string => (name ?? '').trim().replaceAll('\n', ', ');

const attributesOf = (file: UploadedFile, use: 'trust' | 'identity', first: X509Certificate): CertificateInfo => ({
  fileName: file.filename.slice(0, 200),
  use,
  subject: oneLine(first.subject),
  issuer: oneLine(first.issuer),
  validFrom: first.validFromDate.toISOString(),
  validTo: first.validToDate.toISOString(),
  fingerprint: first.fingerprint256,
});

/**
 * A wrong password sometimes decrypts to something that looks like an unsupported format. A file with AES is never
 * outdated, so for it the password is wrong.
 */
const isOutdatedEncryption = (pem: string, message: string): boolean =>
  /unsupported/i.test(message) && !/DEK-Info: AES/.test(pem);

const readKey = (input: CertificateFile, pem: string): KeyObject => {
  const encrypted = /ENCRYPTED/.test(pem);
  if (encrypted && input.password === '') throw new AppError('CERTIFICATE_PASSWORD', {}, input.field);
  try {
    return createPrivateKey({ key: pem, passphrase: input.password });
  } catch (error) {
    const { message } = error as Error;
    if (encrypted && !isOutdatedEncryption(pem, message)) throw new AppError('CERTIFICATE_PASSWORD', {}, input.field);
    throw unreadable(input, encrypted ? 'old' : 'key');
  }
};

const readPem = (input: CertificateFile, text: string): ReadCertificate => {
  const certificates = (text.match(CERTIFICATES) ?? []).map((pem) => parse(input, pem));
  const keyText = KEY.exec(text)?.[0];
  const [first] = certificates;
  if (!first) throw unreadable(input, 'none');
  checkTime(certificates, input.field);
  if (keyText === undefined) {
    const pem = certificates.map((one) => one.toString()).join('');
    return { certificate: { use: 'trust', pem }, facts: attributesOf(input.file, 'trust', first) };
  }
  const key = readKey(input, keyText);
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own) throw unreadable(input, 'otherKey');
  // TLS requires the node's certificate first, then its issuers.
  const pem = [own, ...certificates.filter((one) => one !== own)].map((one) => one.toString()).join('');
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { certificate: { use: 'identity', pem, key: keyPem }, facts: attributesOf(input.file, 'identity', own) };
};

/** Node.js opens a P12 file only in a TLS context; the certificate is the one that a connection would present. */
const openP12 = (input: CertificateFile): Buffer | null => {
  try {
    const { context } = createSecureContext({ pfx: input.file.bytes, passphrase: input.password });
    return (context as { getCertificate: () => Buffer | null }).getCertificate();
  } catch (error) {
    const { message } = error as Error;
    if (/mac verify/i.test(message)) throw new AppError('CERTIFICATE_PASSWORD', {}, input.field);
    throw unreadable(input, /unsupported/i.test(message) ? 'old' : 'broken');
  }
};

const readP12 = (input: CertificateFile): ReadCertificate => {
  const bytes = openP12(input);
  if (!bytes) throw unreadable(input, 'none');
  const first = parse(input, bytes);
  checkTime([first], input.field);
  const { file, password } = input;
  return { certificate: { use: 'identity', p12: file.bytes, password }, facts: attributesOf(file, 'identity', first) };
};

const extensionOf = (filename: string): string => filename.toLowerCase().split('.').at(-1) ?? '';
const BEGIN = '-----BEGIN ';

/**
 * Reads CER, CRT, PEM or P12; the first three by content, not by extension. Uploaded files must be read with
 * `readCertificateIsolated`.
 */
export const readCertificate = (input: CertificateFile): ReadCertificate => {
  const { file, field } = input;
  const extension = extensionOf(file.filename);
  if (!certificateExtensions.some((known) => known === extension)) throw new AppError('CERTIFICATE_TYPE', {}, field);
  if (extension === 'p12') return readP12(input);
  const text = file.bytes.toString('latin1');
  if (text.includes(BEGIN)) return readPem(input, text);
  const first = parse(input, file.bytes);
  checkTime([first], field);
  return { certificate: { use: 'trust', pem: first.toString() }, facts: attributesOf(file, 'trust', first) };
};

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type CertificateFacts, certificateExtensions, type Language, type Text } from '@device-center/contract';
import type { UploadedFile } from '../../http/parse-input.ts';
import { AppError } from '../../platform/app-error.ts';
import type { NodeCertificate } from '../../platform/outbound/open-socket.ts';

export type ReadCertificate = { certificate: NodeCertificate; facts: CertificateFacts };

export type Asked = { file: UploadedFile; password: string; field: string; language: Language };

const reasons = {
  none: { zh_CN: '文件中没有证书', en_US: 'there is no certificate in it' },
  broken: { zh_CN: '文件已损坏', en_US: 'the file is broken' },
  key: { zh_CN: '私钥无法读取', en_US: 'the private key cannot be read' },
  otherKey: { zh_CN: '私钥与证书不匹配', en_US: 'the private key belongs to another certificate' },
  old: {
    zh_CN: '文件的加密方式过旧，请用 AES-256 重新导出',
    en_US: 'its encryption is too old, please export it again with AES-256',
  },
  costly: {
    zh_CN: '打开该文件耗时过长，请减少密码迭代次数后重新导出',
    en_US: 'it takes too long to open, please export it again with fewer iterations of its password',
  },
} as const satisfies Record<string, Text>;

const CERTIFICATES =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?-----END (?:[A-Z]+ )*PRIVATE KEY-----/;

const unreadable = ({ field, language }: Asked, why: keyof typeof reasons): AppError =>
  new AppError('CERTIFICATE_UNREADABLE', { reason: reasons[why][language] }, field);

/** One that anybody would use takes some milliseconds of the processor. */
const CPU_MAX_MS = 500;

export const isTooCostly = ({ user, system }: NodeJS.CpuUsage): boolean => (user + system) / 1_000 > CPU_MAX_MS;

export const tooCostly = (asked: Asked): AppError => unreadable(asked, 'costly');

const parse = (asked: Asked, bytes: Buffer | string): X509Certificate => {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw unreadable(asked, 'broken');
  }
};

/** One that cannot be used is refused now, and not when devices are waiting. */
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

const factsOf = (file: UploadedFile, use: 'trust' | 'identity', first: X509Certificate): CertificateFacts => ({
  fileName: file.filename.slice(0, 200),
  use,
  subject: oneLine(first.subject),
  issuer: oneLine(first.issuer),
  validFrom: first.validFromDate.toISOString(),
  validTo: first.validToDate.toISOString(),
  fingerprint: first.fingerprint256,
});

/** A wrong password now and then opens to something that looks like an unknown format: AES is none of the old ways. */
const isOldWay = (pem: string, message: string): boolean => /unsupported/i.test(message) && !/DEK-Info: AES/.test(pem);

const readKey = (asked: Asked, pem: string): KeyObject => {
  const encrypted = /ENCRYPTED/.test(pem);
  if (encrypted && asked.password === '') throw new AppError('CERTIFICATE_PASSWORD', {}, asked.field);
  try {
    return createPrivateKey({ key: pem, passphrase: asked.password });
  } catch (error) {
    const { message } = error as Error;
    if (encrypted && !isOldWay(pem, message)) throw new AppError('CERTIFICATE_PASSWORD', {}, asked.field);
    throw unreadable(asked, encrypted ? 'old' : 'key');
  }
};

const readPem = (asked: Asked, text: string): ReadCertificate => {
  const certificates = (text.match(CERTIFICATES) ?? []).map((pem) => parse(asked, pem));
  const keyText = KEY.exec(text)?.[0];
  const [first] = certificates;
  if (!first) throw unreadable(asked, 'none');
  checkTime(certificates, asked.field);
  if (keyText === undefined) {
    const pem = certificates.map((one) => one.toString()).join('');
    return { certificate: { use: 'trust', pem }, facts: factsOf(asked.file, 'trust', first) };
  }
  const key = readKey(asked, keyText);
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own) throw unreadable(asked, 'otherKey');
  // Its own comes first, its issuers after it.
  const pem = [own, ...certificates.filter((one) => one !== own)].map((one) => one.toString()).join('');
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { certificate: { use: 'identity', pem, key: keyPem }, facts: factsOf(asked.file, 'identity', own) };
};

/** Node reads a P12 file for connections only; its certificate is the one that such a connection would show. */
const openP12 = (asked: Asked): Buffer | null => {
  try {
    const { context } = createSecureContext({ pfx: asked.file.bytes, passphrase: asked.password });
    return (context as { getCertificate: () => Buffer | null }).getCertificate();
  } catch (error) {
    const { message } = error as Error;
    if (/mac verify/i.test(message)) throw new AppError('CERTIFICATE_PASSWORD', {}, asked.field);
    throw unreadable(asked, /unsupported/i.test(message) ? 'old' : 'broken');
  }
};

const readP12 = (asked: Asked): ReadCertificate => {
  const shown = openP12(asked);
  if (!shown) throw unreadable(asked, 'none');
  const first = parse(asked, shown);
  checkTime([first], asked.field);
  const { file, password } = asked;
  return { certificate: { use: 'identity', p12: file.bytes, password }, facts: factsOf(file, 'identity', first) };
};

const extensionOf = (filename: string): string => filename.toLowerCase().split('.').at(-1) ?? '';
const BEGIN = '-----BEGIN ';

/**
 * CER, CRT, PEM or P12; by its bytes, whichever of the first three names it has. What is sent from outside is read
 * by `readCertificateApart`.
 */
export const readCertificate = (asked: Asked): ReadCertificate => {
  const { file, field } = asked;
  const extension = extensionOf(file.filename);
  if (!certificateExtensions.some((known) => known === extension)) throw new AppError('CERTIFICATE_TYPE', {}, field);
  if (extension === 'p12') return readP12(asked);
  const text = file.bytes.toString('latin1');
  if (text.includes(BEGIN)) return readPem(asked, text);
  const first = parse(asked, file.bytes);
  checkTime([first], field);
  return { certificate: { use: 'trust', pem: first.toString() }, facts: factsOf(file, 'trust', first) };
};

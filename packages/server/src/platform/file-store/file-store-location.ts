import { resolve } from 'node:path';

export type S3Location = {
  kind: 's3';
  bucket: string;
  /** '' or ending with a slash. */
  prefix: string;
  endpoint: string | undefined;
  region: string;
  /** If missing, those of the AWS_* variables or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};

export type FileStoreLocation = { kind: 'folder'; path: string } | S3Location;

const FORM = 'expected a folder, or s3://bucket/prefix?endpoint=https://host:port&region=name';
const OPTIONS = ['endpoint', 'region'];

const readEndpoint = (text: string | null): string | undefined => {
  if (text === null || text === '') return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error('endpoint must be an http or https URL');
  return text;
};

const readCredentials = ({ username, password }: URL): S3Location['credentials'] => {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '')
    throw new Error('key and secret belong together, as in s3://KEY:SECRET@bucket');
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
};

const readS3 = (text: string): S3Location => {
  // URL.parse does not throw: the message of `new URL` would contain the URL and with it the secret.
  const url = URL.parse(text);
  if (!url || url.hostname === '' || url.port !== '' || url.hash !== '') throw new Error(FORM);
  const unknown = [...url.searchParams.keys()].filter((name) => !OPTIONS.includes(name));
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(', ')}; ${FORM}`);
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: readEndpoint(url.searchParams.get('endpoint')),
    region: url.searchParams.get('region') || process.env.AWS_REGION || 'us-east-1',
    credentials: readCredentials(url),
  };
};

export const readFileStore = (text: string): FileStoreLocation => {
  if (text.startsWith('s3://')) return readS3(text);
  // Two or more letters before a colon are a URL scheme that is not supported, not a drive letter.
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new Error(FORM);
  return { kind: 'folder', path: resolve(text) };
};

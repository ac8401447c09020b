import { resolve } from 'node:path';

export type S3Place = {
  kind: 's3';
  bucket: string;
  /** '' or with a slash at its end. */
  prefix: string;
  endpoint: string | undefined;
  region: string;
  /** Where missing, those that the AWS_* variables or the machine itself give. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};

export type FilePlace = { kind: 'folder'; path: string } | S3Place;

const FORM = 'expected a folder, or s3://bucket/prefix?endpoint=https://host:port&region=name';
const OPTIONS = ['endpoint', 'region'];

const readEndpoint = (text: string | null): string | undefined => {
  if (text === null || text === '') return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error('endpoint must be an http or https address');
  return text;
};

const readCredentials = ({ username, password }: URL): S3Place['credentials'] => {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '')
    throw new Error('key and secret belong together, as in s3://KEY:SECRET@bucket');
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
};

const readS3 = (text: string): S3Place => {
  // Its own message would repeat the address, and with it the secret.
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

export const readFilePlace = (text: string): FilePlace => {
  if (text.startsWith('s3://')) return readS3(text);
  // Two letters and more before a colon are no drive, but a kind of address that is not known here.
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new Error(FORM);
  return { kind: 'folder', path: resolve(text) };
};

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUCKET = 'firmware';
/** The only account of the server, and its secret. */
const ACCOUNT = 'S3RVER';

type S3rver = {
  configureBuckets: () => Promise<unknown>;
  callback: () => (request: IncomingMessage, response: ServerResponse) => void;
};
// The package has no types.
const S3rverClass = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver;

const xml = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
};

const partOf = (folder: string, number: number): string => {
  const file = join(folder, String(number));
  const etag = readFileSync(`${file}.md5`, 'utf8');
  return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag><Size>${statSync(file).size}</Size></Part>`;
};

const listParts = (response: ServerResponse, folder: string): void => {
  const numbers = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name) && existsSync(join(folder, `${name}.md5`)))
    .map(Number)
    .sort((one, other) => one - other);
  const parts = numbers.map((number) => partOf(folder, number)).join('');
  xml(response, 200, `<ListPartsResult><IsTruncated>false</IsTruncated>${parts}</ListPartsResult>`);
};

/** An S3 server. s3rver cannot list or abort multipart uploads: these requests are answered here from its files. */
export const startS3 = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'device-center-s3-'));
  // s3rver computes another signature than S3 for a list prefix with a slash.
  const lenient = { silent: true, allowMismatchedSignatures: true };
  const s3rver = new S3rverClass({ directory, ...lenient, configureBuckets: [{ name: BUCKET }] });
  await s3rver.configureBuckets();
  const rest = s3rver.callback();
  let away = false;

  const server = createServer((request, response) => {
    if (away) {
      request.socket.destroy();
      return;
    }
    const uploadId = new URL(request.url ?? '', 'http://s3').searchParams.get('uploadId');
    if (!uploadId || !['GET', 'DELETE'].includes(request.method ?? '')) {
      rest(request, response);
      return;
    }
    const folder = join(directory, BUCKET, '._S3rver_uploads', uploadId);
    if (!existsSync(folder)) xml(response, 404, '<Error><Code>NoSuchUpload</Code><Message>gone</Message></Error>');
    else if (request.method === 'GET') listParts(response, folder);
    else {
      rmSync(folder, { recursive: true });
      response.writeHead(204).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const under = (prefix: string): string[] => {
    const folder = join(directory, BUCKET, prefix);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.flatMap((name) => /^(.*)\._S3rver_object$/.exec(name)?.[1] ?? []);
  };

  return {
    /** The value of FILE_STORE. */
    place: (prefix: string): string =>
      `s3://${ACCOUNT}:${ACCOUNT}@${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    /** The names of the stored objects. */
    under,
    pathOf: (prefix: string, name: string): string => join(directory, BUCKET, prefix, `${name}._S3rver_object`),
    /** The number of open multipart uploads. */
    openUploads: (): number => {
      const folder = join(directory, BUCKET, '._S3rver_uploads');
      return existsSync(folder) ? readdirSync(folder).length : 0;
    },
    setAway: (value: boolean): void => {
      away = value;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

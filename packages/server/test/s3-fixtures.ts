import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUCKET = 'firmware';
/** The one account that the server knows, and its secret. */
const ACCOUNT = 'S3RVER';

type S3rver = {
  configureBuckets: () => Promise<unknown>;
  callback: () => (request: IncomingMessage, response: ServerResponse) => void;
};
// It has no types of its own.
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

/**
 * A server that speaks S3. What s3rver leaves out of uploads in parts, listing and aborting them, is answered here
 * from its own files.
 */
export const startS3 = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'device-center-s3-'));
  // A slash in the prefix of a list it signs otherwise than S3 does.
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
    /** What FILE_STORE says. */
    place: (prefix: string): string =>
      `s3://${ACCOUNT}:${ACCOUNT}@${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    /** The names of what lies there. */
    under,
    pathOf: (prefix: string, name: string): string => join(directory, BUCKET, prefix, `${name}._S3rver_object`),
    /** Uploads in parts that are not over. */
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

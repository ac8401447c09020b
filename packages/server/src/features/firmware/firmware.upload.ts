import { PassThrough } from 'node:stream';
import { FIRMWARE_UPLOAD_PATH, FIRMWARE_URI, firmwareUriOf } from '@device-center/contract';
import type { Locker, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../../http/mount.ts';
import { type Authenticate, permit, tokenOf } from '../../http/permit.ts';
import { allowSlowBody } from '../../http/request-deadline.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import type { FirmwareUploads, NewUpload } from './firmware.files.ts';

type UploadDeps = {
  authenticate: Authenticate;
  store: FileStore;
  locker: Locker;
  uploads: FirmwareUploads;
  maxBytes: number;
  /** Requests a minute and address. */
  limit: number;
};

const TUS_VERSION = '1.0.0';
const EXTENSIONS = ['creation', 'creation-with-upload', 'termination'];
/** Chunks of an upload may be small: their rate limit is separate from other calls, and this many times as high. */
const UPLOAD_LIMIT_FACTOR = 10;
/** An earlier request that a later one replaces must save its bytes within this time. */
const RELEASE_WITHIN_MS = 1_000;
/** Headers that the hub sets itself, and CORS headers, which it never sends. */
const OWN_HEADERS = /^(access-control-|content-|cache-control)/;

/** Loaded lazily, because the module is large and uploads are rare. */
const loadTus = () => import('@tus/server');

/** The hub's error for an error status of tus. */
const errorOfStatus = (status: number): AppError => {
  if (status === 404 || status === 410) return new AppError('FIRMWARE_NOT_FOUND');
  if (status === 409) return new AppError('UPLOAD_OFFSET_MISMATCH');
  if (status === 412) return new AppError('UPLOAD_VERSION');
  if (status === 413) return new AppError('TOO_LARGE');
  return new AppError(status >= 500 && status !== 501 ? 'UNAVAILABLE' : 'UPLOAD_PROTOCOL');
};

const readMetadata = async (header: string | undefined): Promise<Record<string, string | null>> => {
  const { Metadata } = await loadTus();
  try {
    return header ? Metadata.parse(header) : {};
  } catch {
    throw new AppError('UPLOAD_PROTOCOL', {}, 'Upload-Metadata');
  }
};

const readNewUpload = async ({ headers }: FastifyRequest): Promise<NewUpload> => {
  const length = headers['upload-length'];
  // An upload with a deferred length could not be rejected before it is written.
  if (typeof length !== 'string' || !/^\d{1,15}$/.test(length))
    throw new AppError('UPLOAD_PROTOCOL', {}, 'Upload-Length');
  const metadata = await readMetadata(headers['upload-metadata'] as string | undefined);
  return { fileName: metadata.filename ?? '', size: Number(length), tenancyId: metadata.tenancyId || undefined };
};

const headersOf = ({ headers }: FastifyRequest): Headers => {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value);
  return copied;
};

/** Serves the tus protocol within Fastify, with the hub's tokens, limits, log and errors. */
export const mountFirmwareUpload = async (app: FastifyInstance, deps: UploadDeps): Promise<void> => {
  const { store, uploads } = deps;
  const fileIds = new WeakMap<Request, string>();
  const causes = new WeakMap<Request, unknown>();
  /** One function per body that is being read; it ends the body. */
  const openBodies = new Set<() => void>();

  const keyOf = (request: Request): string => store.keyOf(fileIds.get(request) ?? '');
  const createServer = async (): Promise<Server> => {
    const [{ Server }, datastore] = await Promise.all([loadTus(), store.tus()]);
    datastore.extensions = EXTENSIONS;
    return new Server({
      path: FIRMWARE_UPLOAD_PATH,
      datastore,
      locker: deps.locker,
      lockDrainTimeout: RELEASE_WITHIN_MS,
      maxSize: deps.maxBytes,
      namingFunction: (request) => keyOf(request),
      getFileIdFromRequest: (request) => keyOf(request),
      // A path without a host is correct behind any proxy.
      generateUrl: (request) => `${FIRMWARE_UPLOAD_PATH}/${fileIds.get(request)}`,
      onUploadFinish: async (_request, { id }) => {
        await uploads.finish(store.fileIdOf(id));
        return {};
      },
      onResponseError: (request, error) => {
        causes.set(request, error);
        return undefined;
      },
    });
  };
  let server: Promise<Server> | undefined;

  /** A body that ends when the client disconnects or the hub stops, so that the bytes received until then are stored. */
  const bodyOf = ({ raw }: FastifyRequest) => {
    const body = new PassThrough();
    const end = (): void => {
      openBodies.delete(end);
      raw.unpipe(body);
      body.end();
      // Remaining bytes are discarded, so that the connection can serve the next request.
      raw.resume();
    };
    openBodies.add(end);
    raw.once('error', end).once('close', end).pipe(body);
    return { body: ReadableStream.from<Buffer>(body), end };
  };
  app.addHook('preClose', async () => {
    for (const end of openBodies) end();
  });

  const passToTus = async (web: Request, reply: FastifyReply, fileId: string): Promise<FastifyReply> => {
    fileIds.set(web, fileId);
    server ??= createServer();
    const answer = await (await server).handleWeb(web);
    for (const [name, value] of answer.headers) if (!OWN_HEADERS.test(name)) reply.header(name, value);
    if (answer.status < 400) return reply.code(answer.status).send();
    // Closing a connection with unread bytes resets it, and the client would lose the answer.
    reply.removeHeader('Connection');
    const cause = causes.get(web);
    throw cause instanceof Error && !('status_code' in cause) ? cause : errorOfStatus(answer.status);
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply, fileId: string): Promise<FastifyReply> => {
    const address = new URL(request.url, 'http://hub');
    const init = { method: request.method, headers: headersOf(request) };
    if (request.method !== 'POST' && request.method !== 'PATCH')
      return passToTus(new Request(address, init), reply, fileId);
    allowSlowBody(request.raw);
    const { body, end } = bodyOf(request);
    try {
      return await passToTus(new Request(address, { ...init, body, duplex: 'half' }), reply, fileId);
    } finally {
      end();
    }
  };

  const authorize = async (request: FastifyRequest, reply: FastifyReply, action: string): Promise<Context<Actor>> => {
    const token = tokenOf(request);
    const actor = token === '' ? null : await deps.authenticate(token, request.ip);
    permit({ access: 'firmware:write' }, actor);
    if (!actor) throw new AppError('TOKEN_INVALID');
    if (request.headers['tus-resumable'] !== TUS_VERSION) {
      reply.header('Tus-Version', TUS_VERSION);
      throw new AppError('UPLOAD_VERSION');
    }
    return contextOf(request, actor, action);
  };

  const requireUpload = async (request: FastifyRequest, context: Context): Promise<string> => {
    const { fileId } = request.params as { fileId: string };
    if (!FIRMWARE_URI.test(firmwareUriOf(fileId))) throw new AppError('FIRMWARE_NOT_FOUND');
    await uploads.find(context, fileId);
    return fileId;
  };

  await app.register((scope, _options, done) => {
    // The store reads the bytes as a stream, so Fastify must not parse the body.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Tus-Resumable', TUS_VERSION);
    });
    const uploadUrl = `${FIRMWARE_UPLOAD_PATH}/:fileId`;
    const config = (call: string) => ({
      rateLimit: { max: deps.limit * UPLOAD_LIMIT_FACTOR },
      call: `firmware.${call}`,
    });

    for (const url of [FIRMWARE_UPLOAD_PATH, uploadUrl])
      scope.options(url, { config: config('uploadOptions') }, (request, reply) => handle(request, reply, ''));

    scope.post(FIRMWARE_UPLOAD_PATH, { config: config('uploadBegin') }, async (request, reply) => {
      const context = await authorize(request, reply, 'firmware.uploadFirmware');
      const fileId = await uploads.begin(context, await readNewUpload(request));
      return handle(request, reply, fileId);
    });

    scope.head(uploadUrl, { config: config('uploadState') }, async (request, reply) => {
      const fileId = await requireUpload(request, await authorize(request, reply, ''));
      return handle(request, reply, fileId);
    });

    scope.patch(uploadUrl, { config: config('uploadPiece') }, async (request, reply) => {
      const fileId = await requireUpload(request, await authorize(request, reply, ''));
      return handle(request, reply, fileId);
    });

    scope.delete(uploadUrl, { config: config('uploadEnd') }, async (request, reply) => {
      const context = await authorize(request, reply, 'firmware.deleteDeviceOtaFile');
      await uploads.remove(context, await requireUpload(request, context));
      return reply.code(204).send();
    });
    done();
  });
};

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
/** Pieces may be small: they are counted apart from calls, and there may be this many times as many. */
const PIECES_A_CALL = 10;
/** An earlier request that a later one has taken the place of saves what it has within this time. */
const LEAVE_WITHIN_MS = 1_000;
/** The hub's own answers say these, or they are for other sites, which have no business here. */
const OWN_HEADERS = /^(access-control-|content-|cache-control)/;

/** It is large, and most hubs take uploads seldom. */
const loadTus = () => import('@tus/server');

/** What tus refuses, in the hub's words. */
const refusalOf = (status: number): AppError => {
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
  // One whose length is told later could not be refused before it is written.
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

/** Speaks the tus protocol inside of Fastify, with the hub's tokens, limits, log and refusals. */
export const mountFirmwareUpload = async (app: FastifyInstance, deps: UploadDeps): Promise<void> => {
  const { store, uploads } = deps;
  const fileIds = new WeakMap<Request, string>();
  const causes = new WeakMap<Request, unknown>();
  /** Ends a body that is being read, each. */
  const open = new Set<() => void>();

  const keyOf = (request: Request): string => store.keyOf(fileIds.get(request) ?? '');
  const createServer = async (): Promise<Server> => {
    const [{ Server }, datastore] = await Promise.all([loadTus(), store.tus()]);
    datastore.extensions = EXTENSIONS;
    return new Server({
      path: FIRMWARE_UPLOAD_PATH,
      datastore,
      locker: deps.locker,
      lockDrainTimeout: LEAVE_WITHIN_MS,
      maxSize: deps.maxBytes,
      namingFunction: (request) => keyOf(request),
      getFileIdFromRequest: (request) => keyOf(request),
      // Without a host it is right behind any proxy.
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

  /** A body that ends when its sender is gone or the hub stops: what has arrived until then is kept. */
  const bodyOf = ({ raw }: FastifyRequest) => {
    const body = new PassThrough();
    const end = (): void => {
      open.delete(end);
      raw.unpipe(body);
      body.end();
      // What else arrives is nobody's, and must be out of the way of the next request.
      raw.resume();
    };
    open.add(end);
    raw.once('error', end).once('close', end).pipe(body);
    return { body: ReadableStream.from<Buffer>(body), end };
  };
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });

  const ask = async (web: Request, reply: FastifyReply, fileId: string): Promise<FastifyReply> => {
    fileIds.set(web, fileId);
    server ??= createServer();
    const answer = await (await server).handleWeb(web);
    for (const [name, value] of answer.headers) if (!OWN_HEADERS.test(name)) reply.header(name, value);
    if (answer.status < 400) return reply.code(answer.status).send();
    // A connection closed over bytes that nobody has read would take the answer with it.
    reply.removeHeader('Connection');
    const cause = causes.get(web);
    throw cause instanceof Error && !('status_code' in cause) ? cause : refusalOf(answer.status);
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply, fileId: string): Promise<FastifyReply> => {
    const address = new URL(request.url, 'http://hub');
    const init = { method: request.method, headers: headersOf(request) };
    if (request.method !== 'POST' && request.method !== 'PATCH') return ask(new Request(address, init), reply, fileId);
    allowSlowBody(request.raw);
    const { body, end } = bodyOf(request);
    try {
      return await ask(new Request(address, { ...init, body, duplex: 'half' }), reply, fileId);
    } finally {
      end();
    }
  };

  const callerOf = async (request: FastifyRequest, reply: FastifyReply, action: string): Promise<Context<Actor>> => {
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

  const findOwn = async (request: FastifyRequest, context: Context): Promise<string> => {
    const { fileId } = request.params as { fileId: string };
    if (!FIRMWARE_URI.test(firmwareUriOf(fileId))) throw new AppError('FIRMWARE_NOT_FOUND');
    await uploads.find(context, fileId);
    return fileId;
  };

  await app.register((scope, _options, done) => {
    // The bytes are the store's; nobody reads them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Tus-Resumable', TUS_VERSION);
    });
    const one = `${FIRMWARE_UPLOAD_PATH}/:fileId`;
    const config = (call: string) => ({ rateLimit: { max: deps.limit * PIECES_A_CALL }, call: `firmware.${call}` });

    for (const url of [FIRMWARE_UPLOAD_PATH, one])
      scope.options(url, { config: config('uploadOptions') }, (request, reply) => handle(request, reply, ''));

    scope.post(FIRMWARE_UPLOAD_PATH, { config: config('uploadBegin') }, async (request, reply) => {
      const context = await callerOf(request, reply, 'firmware.uploadFirmware');
      const fileId = await uploads.begin(context, await readNewUpload(request));
      return handle(request, reply, fileId);
    });

    scope.head(one, { config: config('uploadState') }, async (request, reply) => {
      const fileId = await findOwn(request, await callerOf(request, reply, ''));
      return handle(request, reply, fileId);
    });

    scope.patch(one, { config: config('uploadPiece') }, async (request, reply) => {
      const fileId = await findOwn(request, await callerOf(request, reply, ''));
      return handle(request, reply, fileId);
    });

    scope.delete(one, { config: config('uploadEnd') }, async (request, reply) => {
      const context = await callerOf(request, reply, 'firmware.deleteDeviceOtaFile');
      await uploads.remove(context, await findOwn(request, context));
      return reply.code(204).send();
    });
    done();
  });
};

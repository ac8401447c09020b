import { type Call, type FieldError, issueText, type Language } from '@device-center/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/app-error.ts';
import { type LargeBodies, LargeBody } from './large-body.ts';
import { DETAILS_MAX, mergeInputs, validateInput } from './validate-input.ts';

export class BadInput extends Error {
  readonly details: FieldError[];

  constructor(details: FieldError[]) {
    super('BAD_INPUT');
    this.details = details.slice(0, DETAILS_MAX);
  }
}

export type UploadedFile = { bytes: Buffer; filename: string };

/** Allowance for the other parts of a multipart body: fields, names and headers. */
const AROUND_FILES_BYTES = 1024 * 1024;

/**
 * A multipart body is parsed as a stream, and a part may be endless. A Content-Length above the limit is rejected with
 * an error; a body that exceeds it anyway is disconnected.
 */
const limitBody = ({ raw }: FastifyRequest, maxBytes: number): void => {
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw new AppError('TOO_LARGE');
  let size = 0;
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) raw.destroy();
  });
};

const readMultipart = async (
  request: FastifyRequest,
  file: NonNullable<Call['file']>,
): Promise<{ fields: Record<string, unknown>; upload: UploadedFile | null }> => {
  // Twice the limit, so that a slightly too large file still gets its specific error.
  limitBody(request, 2 * file.maxBytes + AROUND_FILES_BYTES);
  const fields = new Map<string, unknown>();
  let upload: UploadedFile | null = null;
  const parts = request.parts({
    limits: { fileSize: file.maxBytes, files: 1, fields: 20, fieldSize: 64 * 1024, parts: 21 },
  });
  for await (const part of parts) {
    if (part.type === 'field') fields.set(part.fieldname, part.value);
    else upload = await readFilePart(part, file.field);
  }
  return { fields: Object.fromEntries(fields), upload };
};

const readFilePart = async (part: MultipartFile, expected: string): Promise<UploadedFile | null> => {
  const bytes = await part.toBuffer();
  return part.fieldname === expected ? { bytes, filename: part.filename } : null;
};

type Files = NonNullable<Call['files']>;

/** Files by part name; empty files are left out. */
export type UploadedFiles = ReadonlyMap<string, UploadedFile>;

/** The names that file parts may have. */
const partNames = ({ field, max }: Files): string[] =>
  Array.from({ length: max }, (_, index) => field.replace('{index}', String(index)));

const readOneOf = async (part: MultipartFile, files: Files): Promise<UploadedFile> => {
  const tooLarge = () => new AppError(files.tooLarge, {}, part.fieldname);
  try {
    const bytes = await part.toBuffer();
    // toBuffer fails only if the excess arrives in the same chunk as bytes within the limit.
    if (part.file.truncated) throw tooLarge();
    return { bytes, filename: part.filename };
  } catch (error) {
    if ((error as { code?: string }).code !== 'FST_REQ_FILE_TOO_LARGE') throw error;
    throw tooLarge();
  }
};

const readSeveral = async (
  request: FastifyRequest,
  files: Files,
): Promise<{ fields: Record<string, unknown>; uploads: UploadedFiles }> => {
  limitBody(request, (files.max + 1) * files.maxBytes + AROUND_FILES_BYTES);
  const names = partNames(files);
  const fields = new Map<string, unknown>();
  const uploads = new Map<string, UploadedFile>();
  const parts = request.parts({
    limits: { fileSize: files.maxBytes, files: files.max, fields: 40, fieldSize: 256 * 1024, parts: 40 + files.max },
  });
  for await (const part of parts) {
    if (part.type === 'field') fields.set(part.fieldname, part.value);
    else {
      const upload = await readOneOf(part, files);
      if (names.includes(part.fieldname) && upload.bytes.length > 0) uploads.set(part.fieldname, upload);
    }
  }
  return { fields: Object.fromEntries(fields), uploads };
};

const readParts = async (
  request: FastifyRequest,
  { file, files }: Call,
  multipart: boolean,
): Promise<{ fields: Record<string, unknown>; upload: UploadedFile | UploadedFiles | null }> => {
  if (file) return multipart ? readMultipart(request, file) : { fields: {}, upload: null };
  if (!files) return { fields: {}, upload: null };
  const { fields, uploads } = multipart ? await readSeveral(request, files) : { fields: {}, uploads: new Map() };
  return { fields, upload: uploads };
};

export type NamedCall = { slice: string; name: string; call: Call };

/** Reads input from form, JSON, query or multipart and validates it against the call's schema. */
export const createInputReader =
  ({ slice, name, call }: NamedCall, largeBodies: Pick<LargeBodies, 'read'>) =>
  async (
    request: FastifyRequest,
    language: Language,
    /** The caller's tenant, or its token if it has none. */
    owner: string,
  ): Promise<{ input: unknown; upload: UploadedFile | UploadedFiles | null }> => {
    const multipart = request.isMultipart();
    if (multipart && !call.file && !call.files) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
    const { fields, upload } = await readParts(request, call, multipart);
    if (call.file && !upload)
      throw new BadInput([
        { field: call.file.field, message: issueText({ code: 'custom', message: 'FILE_REQUIRED' }, language) },
      ]);

    // Only a body can be JSON; query fields are strings, whatever the header is.
    const body = call.method === 'GET' || multipart ? undefined : request.body;
    const isJson = body !== undefined && (request.headers['content-type']?.startsWith('application/json') ?? false);
    if (isJson && Array.isArray(body)) throw new AppError('MALFORMED_BODY');
    const validated =
      body instanceof LargeBody
        ? await largeBodies.read({ slice, name, query: { ...(request.query as object) }, ...body, language }, owner)
        : await validateInput(call, mergeInputs(request.query, body, fields), { isJson, language });
    if ('errors' in validated) throw new BadInput(validated.errors);
    return { input: validated.input, upload };
  };

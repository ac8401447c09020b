import { type Call, type FieldError, fieldErrors, issueText, type Language } from '@device-center/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/app-error.ts';

export class BadInput extends Error {
  readonly details: FieldError[];

  constructor(details: FieldError[]) {
    super('BAD_INPUT');
    this.details = details;
  }
}

export type UploadedFile = { bytes: Buffer; filename: string };

const readMultipart = async (
  request: FastifyRequest,
  file: NonNullable<Call['file']>,
): Promise<{ fields: Record<string, unknown>; upload: UploadedFile | null }> => {
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

/** Parts merged by a Map: keys come from outside, and a plain object would take `__proto__` for its own. */
const merge = (...sources: unknown[]): Record<string, unknown> => {
  const merged = new Map<string, unknown>();
  for (const source of sources) {
    if (typeof source !== 'object' || source === null) continue;
    for (const [key, value] of Object.entries(source)) merged.set(key, value);
  }
  return Object.fromEntries(merged);
};

/** Reads form, JSON, query or multipart alike, and holds it to the call's schema. */
export const createInputReader = (call: Call) => {
  const lenient = call.input.strip();
  const strict = call.input.strict();

  return async (
    request: FastifyRequest,
    language: Language,
  ): Promise<{ input: unknown; upload: UploadedFile | null }> => {
    const multipart = request.isMultipart();
    if (multipart && !call.file) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
    const { fields, upload } =
      multipart && call.file ? await readMultipart(request, call.file) : { fields: {}, upload: null };
    if (call.file && !upload)
      throw new BadInput([
        { field: call.file.field, message: issueText({ code: 'custom', message: 'FILE_REQUIRED' }, language) },
      ]);

    // Only a body can be JSON; the fields of a query are a form's, whatever the header says.
    const body = call.method === 'GET' || multipart ? undefined : request.body;
    const json = body !== undefined && (request.headers['content-type']?.startsWith('application/json') ?? false);
    if (json && Array.isArray(body)) throw new AppError('MALFORMED_BODY');
    const sent = merge(request.query, body, fields);
    const parsed = await (json ? strict : lenient).safeParseAsync(sent, { reportInput: true });
    if (!parsed.success) throw new BadInput(fieldErrors(parsed.error.issues, language));
    return { input: parsed.data, upload };
  };
};

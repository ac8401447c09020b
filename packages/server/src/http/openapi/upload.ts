import { FIRMWARE_UPLOAD_PATH, firmwareUriOf } from '@device-center/contract';

type Json = Record<string, unknown>;

const text = { schema: { type: 'string' } };
const count = { schema: { type: 'integer', minimum: 0 } };
const version = { name: 'Tus-Resumable', in: 'header', required: true, schema: { const: '1.0.0' } };
const fileId = { name: 'fileId', in: 'path', required: true, schema: { type: 'string' } };
const inHeader = (name: string, required: boolean, more: Json): Json => ({ name, in: 'header', required, ...more });

const rejected = {
  description: 'Rejected',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

const described = (name: string, summary: string, parameters: Json[], done: Json): Json => ({
  operationId: `firmware.${name}`,
  tags: ['firmware'],
  summary,
  'x-protocol': 'tus 1.0.0',
  parameters,
  responses: { ...done, '4XX': rejected, default: rejected },
});

const operation = (name: string, summary: string, parameters: Json[], done: Json): Json => ({
  ...described(name, summary, [version, ...parameters], done),
  security: [{ bearer: [] }],
  'x-access': 'firmware:write',
});

const bytes: Json = {
  required: true,
  content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

const optionsOperation = (name: string, parameters: Json[]): Json => ({
  ...described(name, 'Supported tus version and extensions, and the maximum file size', parameters, {
    204: { description: 'Done', headers: { 'Tus-Version': text, 'Tus-Extension': text, 'Tus-Max-Size': count } },
  }),
  security: [],
  'x-access': 'public',
});

/** Firmware upload uses the tus protocol and is not a call of the contract, so it is described by hand. */
export const uploadPaths: Record<string, Json> = {
  [FIRMWARE_UPLOAD_PATH]: {
    options: optionsOperation('uploadOptions', []),
    post: operation(
      'uploadBegin',
      `Creates an upload; the last part of Location is the fileId, firmwareUri is ${firmwareUriOf('{fileId}')}`,
      [
        inHeader('Upload-Length', true, count),
        inHeader('Upload-Metadata', true, {
          ...text,
          description: 'filename, and tenancyId if a platform user uploads for another tenant; values in Base64',
        }),
      ],
      { 201: { description: 'Created', headers: { Location: text, 'Upload-Offset': count } } },
    ),
  },
  [`${FIRMWARE_UPLOAD_PATH}/{fileId}`]: {
    options: optionsOperation('uploadOptionsOfFile', [fileId]),
    head: operation('uploadState', 'How much has arrived', [fileId], {
      200: { description: 'Done', headers: { 'Upload-Offset': count, 'Upload-Length': count } },
    }),
    patch: {
      ...operation(
        'uploadPiece',
        'Appends a chunk of any size at the current offset',
        [fileId, inHeader('Upload-Offset', true, count)],
        { 204: { description: 'Done', headers: { 'Upload-Offset': count } } },
      ),
      requestBody: bytes,
    },
    delete: operation('uploadEnd', 'Cancels an upload, or deletes a file that no version uses', [fileId], {
      204: { description: 'Done' },
    }),
  },
};

import { FIRMWARE_UPLOAD_PATH, firmwareUriOf } from '@device-center/contract';

type Json = Record<string, unknown>;

const text = { schema: { type: 'string' } };
const count = { schema: { type: 'integer', minimum: 0 } };
const version = { name: 'Tus-Resumable', in: 'header', required: true, schema: { const: '1.0.0' } };
const fileId = { name: 'fileId', in: 'path', required: true, schema: { type: 'string' } };
const inHeader = (name: string, required: boolean, more: Json): Json => ({ name, in: 'header', required, ...more });

const refused = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

const described = (name: string, summary: string, parameters: Json[], done: Json): Json => ({
  operationId: `firmware.${name}`,
  tags: ['firmware'],
  summary,
  'x-protocol': 'tus 1.0.0',
  parameters,
  responses: { ...done, '4XX': refused, default: refused },
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

const whatIsSpoken = (name: string, parameters: Json[]): Json => ({
  ...described(name, 'What of tus is spoken here, and how large a file may be', parameters, {
    204: { description: 'Done', headers: { 'Tus-Version': text, 'Tus-Extension': text, 'Tus-Max-Size': count } },
  }),
  security: [],
  'x-access': 'public',
});

/** The upload of firmware is no call of the contract but another protocol, so it is described by hand. */
export const uploadPaths: Record<string, Json> = {
  [FIRMWARE_UPLOAD_PATH]: {
    options: whatIsSpoken('uploadOptions', []),
    post: operation(
      'uploadBegin',
      `Begins an upload; the last part of Location is the fileId, firmwareUri is ${firmwareUriOf('{fileId}')}`,
      [
        inHeader('Upload-Length', true, count),
        inHeader('Upload-Metadata', true, {
          ...text,
          description:
            "filename, and tenancyId where a platform operator's file is for another tenant; values in Base64",
        }),
      ],
      { 201: { description: 'Begun', headers: { Location: text, 'Upload-Offset': count } } },
    ),
  },
  [`${FIRMWARE_UPLOAD_PATH}/{fileId}`]: {
    options: whatIsSpoken('uploadOptionsOfFile', [fileId]),
    head: operation('uploadState', 'How much has arrived', [fileId], {
      200: { description: 'Done', headers: { 'Upload-Offset': count, 'Upload-Length': count } },
    }),
    patch: {
      ...operation(
        'uploadPiece',
        'Sends on from where it stands; a piece of any size',
        [fileId, inHeader('Upload-Offset', true, count)],
        { 204: { description: 'Done', headers: { 'Upload-Offset': count } } },
      ),
      requestBody: bytes,
    },
    delete: operation('uploadEnd', 'Gives an upload up, or deletes a file that no version uses', [fileId], {
      204: { description: 'Done' },
    }),
  },
};

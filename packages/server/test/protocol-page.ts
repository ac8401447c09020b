import { readFileSync } from 'node:fs';
import {
  childAnswer,
  childRequest,
  type Envelope,
  envelope as envelopeSchema,
  eventReport,
  hubRequests,
  identity,
  logReport,
  onlineAnswer,
  onlineRequest,
  propertyAnswer,
  propertyReport,
  refreshAnswer,
  refreshRequest,
  serviceAnswer,
  syncAnswer,
  syncRequest,
} from '@device-center/contract';
import { z } from 'zod';

const read = (name: string): string =>
  readFileSync(new URL(`../../../docs/device-protocol${name}.md`, import.meta.url), 'utf8');
/** The published protocol page, in both languages. */
export const pages = { en_US: read(''), zh_CN: read('.zh-CN') };

export const blocksOf = (page: string, kind: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].flatMap(([, name, text]) => (name === kind ? [text ?? ''] : []));

export const jsonOf = (page: string): Record<string, unknown>[] =>
  blocksOf(page, 'json').map((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));

export const messagesOf = (page: string): Envelope[] =>
  jsonOf(page).flatMap((value) => ('dataFlow' in value ? [envelopeSchema.parse(value)] : []));

const isDown = ({ token }: Envelope): boolean => token === '';
/** For example `up request 2`. */
export const kindOf = (message: Envelope): string =>
  `${isDown(message) ? 'down' : 'up'} ${message.dataFlow === 0 ? 'request' : 'response'} ${message.type}`;

const base64 = z.base64();
const nothing = z.strictObject({});
/** The schema of the payload of each message kind. */
export const payloads = new Map<string, z.ZodType>([
  ['up request 1', onlineRequest],
  ['down response 1', onlineAnswer.strict()],
  ['up request 2', propertyReport],
  ['down request 2', hubRequests[2]],
  ['up response 2', propertyAnswer.strict()],
  ['up request 3', eventReport],
  ['down request 4', hubRequests[4]],
  ['up response 4', serviceAnswer.strict()],
  ['up request 5', identity],
  ['down response 5', nothing],
  ['down request 5', hubRequests[5]],
  ['up response 5', identity],
  ['up request 6', logReport],
  ['up request 7', base64],
  ['down request 7', base64],
  ['up response 7', nothing],
  ['up request 8', childRequest],
  ['down response 8', z.union([childAnswer.strict(), z.strictObject({ deviceId: z.string() })])],
  ['up request 9', refreshRequest],
  ['down response 9', refreshAnswer.strict()],
  ['up request 10', syncRequest],
  ['down response 10', syncAnswer.strict()],
  ['down request 10', hubRequests[10]],
]);

export const payloadOf = (message: Envelope): unknown =>
  message.type === 7 && message.dataFlow === 0 ? message.payload : JSON.parse(message.payload);

export const answerTo = (page: string, request: Envelope): Envelope | undefined =>
  messagesOf(page).find(
    (other) => other.dataFlow === 1 && other.dataId === request.dataId && other.deviceId === request.deviceId,
  );

/** The secrets on the page, including that of its example of a self-registration. */
export const secretsOf = (page: string): Map<string, string> => {
  const named = [...page.matchAll(/^\| `(\w+)`.* \| `(s3cr3t-[^`]+)` \|$/gm)].map(
    ([, name = '', secret = '']) => [name, secret] as const,
  );
  const children = messagesOf(page).flatMap((message) => {
    if (kindOf(message) !== 'down response 8') return [];
    const answer = childAnswer.safeParse(payloadOf(message));
    return answer.success ? [[answer.data.deviceId, answer.data.deviceSecret ?? ''] as const] : [];
  });
  return new Map([...named, ...children]);
};

import { parentPort } from 'node:worker_threads';
import { type CallTable, contract, isDeeperThan, type Language } from '@device-center/contract';
import { parse } from 'secure-json-parse';
import type { BodyFormat } from './large-body.ts';
import { mergeInputs, parseForm, type ValidatedInput, validateInput } from './validate-input.ts';

/** Worker thread that parses and validates large bodies, see large-body.ts. */

export type InputRequest = {
  id: number;
  slice: string;
  name: string;
  query: unknown;
  text: string;
  format: BodyFormat;
  language: Language;
};
export type InputReply = { id: number } & (ValidatedInput | { malformed: true });

const DEPTH_MAX = 200;

const parseBody = ({ format, text }: InputRequest): unknown =>
  format === 'form' ? parseForm(text) : parse(text, null, { protoAction: 'error', constructorAction: 'error' });

const read = async (request: InputRequest): Promise<ValidatedInput | { malformed: true }> => {
  const { slice, name, query, format, language } = request;
  let body: unknown;
  try {
    body = parseBody(request);
  } catch {
    return { malformed: true };
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { malformed: true };
  const calls: Record<string, CallTable> = contract;
  const call = calls[slice]?.[name];
  if (!call) throw new Error(`unknown call ${slice}.${name}`);
  const validated = await validateInput(call, mergeInputs(query, body), { isJson: format === 'json', language });
  // Deeply nested input cannot be sent to another thread.
  return isDeeperThan(validated, DEPTH_MAX) ? { malformed: true } : validated;
};

parentPort?.on('message', async (request: InputRequest) => {
  const reply: InputReply = { id: request.id, ...(await read(request)) };
  parentPort?.postMessage(reply);
});

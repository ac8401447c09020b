import { parentPort } from 'node:worker_threads';
import { type CallTable, contract, isDeeperThan, type Language } from '@device-center/contract';
import { parse } from 'secure-json-parse';
import type { BodyFormat } from './large-body.ts';
import { type JudgedInput, judgeInput, mergeInputs, parseForm } from './validate-input.ts';

/** Reads large bodies in a thread of its own, see large-body.ts. */

export type InputRequest = {
  id: number;
  slice: string;
  name: string;
  query: unknown;
  text: string;
  format: BodyFormat;
  language: Language;
};
export type InputReply = { id: number } & (JudgedInput | { malformed: true });

const DEPTH_MAX = 200;

const parseBody = ({ format, text }: InputRequest): unknown =>
  format === 'form' ? parseForm(text) : parse(text, null, { protoAction: 'error', constructorAction: 'error' });

const read = async (request: InputRequest): Promise<JudgedInput | { malformed: true }> => {
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
  if (!call) throw new Error(`there is no call ${slice}.${name}`);
  const judged = await judgeInput(call, mergeInputs(query, body), { isJson: format === 'json', language });
  // What is nested too deep cannot be sent to another thread.
  return isDeeperThan(judged, DEPTH_MAX) ? { malformed: true } : judged;
};

parentPort?.on('message', async (request: InputRequest) => {
  const reply: InputReply = { id: request.id, ...(await read(request)) };
  parentPort?.postMessage(reply);
});

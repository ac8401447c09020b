import { type Answer, type Call, CodePurpose, type Output, type Sent, type Success } from '@device-center/contract';
import i18next from 'i18next';
import { checkHub } from '../hub-watch.ts';
import { languageTag } from '../i18n/language.ts';
import { ApiError, NETWORK_CODE, TIMEOUT_CODE } from './api-error.ts';
import { currentSession } from './session.ts';

/** Spec §9. */
const TIMEOUT_MS = 120_000;

/** Input of a call: fields that the contract allows to be undefined may be omitted. */
type Loose<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] } & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Fields[Key];
};
export type Sendable<C extends Call> = Loose<Sent<C>>;

export type SendOptions = {
  /** The file part of a multipart call. */
  file?: Blob;
  /** The files of a call that takes several. The index becomes part of the field name; null sends no part. */
  files?: readonly (Blob | null)[];
  /** Request format. JSON is for input that a form cannot carry, such as preferences. */
  as?: 'form' | 'json';
  signal?: AbortSignal;
};

const noResponse = (code: string): string => `${code} ${i18next.t('common:noResponse')}`;

type Fields = Record<string, unknown>;

const asForm = (input: Fields): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    // Lists are sent as one JSON array: ids may contain commas, and a key that occurs once does not parse as a list.
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
};

const asMultipart = (call: Call, input: Fields, { file, files = [] }: SendOptions): FormData => {
  const form = new FormData();
  for (const [key, value] of asForm(input)) form.append(key, value);
  if (file) form.append(call.file?.field ?? 'file', file);
  for (const [index, part] of files.entries()) {
    if (part) form.append(call.files?.field.replace('{index}', String(index)) ?? 'file', part);
  }
  return form;
};

const languageHeader = (): Headers => new Headers({ 'Accept-Language': languageTag() });

/** Headers with the session's token and the language. */
export const hubHeaders = (): Headers => {
  const result = languageHeader();
  const token = currentSession()?.token;
  if (token !== undefined) result.set('Authorization', token);
  return result;
};

/**
 * Spec §7: login and password recovery send no token, even while a user is logged in. A verification code for any
 * other purpose belongs to the logged-in user and needs the token.
 */
const isWithoutToken = ({ access }: Call, { type }: Fields): boolean =>
  access === 'public' && (type === undefined || type === CodePurpose.recover);

const request = (call: Call, input: Fields, options: SendOptions): [string, RequestInit] => {
  const sent = isWithoutToken(call, input) ? languageHeader() : hubHeaders();
  if (call.method === 'GET' || call.method === 'DELETE') {
    const query = asForm(input).toString();
    return [query === '' ? call.path : `${call.path}?${query}`, { method: call.method, headers: sent }];
  }
  // A call that takes files is multipart even when none is sent.
  if (options.file !== undefined || call.files !== undefined) {
    return [call.path, { method: call.method, headers: sent, body: asMultipart(call, input, options) }];
  }
  if (options.as === 'json') {
    sent.set('Content-Type', 'application/json');
    return [call.path, { method: call.method, headers: sent, body: JSON.stringify(input) }];
  }
  return [call.path, { method: call.method, headers: sent, body: asForm(input) }];
};

/** A fetch with the timeout of the specification. Transport failures become ApiErrors with status 0. */
export const fetchHub = async (url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    void checkHub();
    const code = timeout.aborted ? TIMEOUT_CODE : NETWORK_CODE;
    throw new ApiError({ status: 0, code, message: noResponse(code) });
  }
};

const readAnswer = async (response: Response): Promise<Answer<unknown>> => {
  try {
    return (await response.json()) as Answer<unknown>;
  } catch {
    const code = `HTTP_${response.status}`;
    throw new ApiError({ status: response.status, code, message: noResponse(code) });
  }
};

/** Sends a call and returns the whole success response with its message; `send` returns only the data. */
export const sendForAnswer = async <C extends Call>(
  call: C,
  input: Sendable<C>,
  options: SendOptions = {},
): Promise<Success<Output<C>>> => {
  const [url, init] = request(call, input as Fields, options);
  const response = await fetchHub(url, init, options.signal);
  const answer = await readAnswer(response);
  if (answer.success === true) return answer as Success<Output<C>>;
  throw new ApiError({
    status: answer.statusCode ?? response.status,
    code: answer.code ?? `HTTP_${response.status}`,
    message: answer.message || i18next.t('common:error'),
    details: answer.details,
    requestId: answer.requestId,
    data: answer.data,
  });
};

export const send = async <C extends Call>(call: C, input: Sendable<C>, options?: SendOptions): Promise<Output<C>> =>
  (await sendForAnswer(call, input, options)).data;

/** A rejected or timed-out command is a result that the page shows next to the command, not an error. */
export const resultOfFailure = <C extends Call>(call: C, error: unknown): Output<C> | undefined =>
  call.failureData && error instanceof ApiError && error.data !== null ? (error.data as Output<C>) : undefined;

/** Sends a command to a device and returns its result, whether it succeeded or failed. */
export const sendToDevice = async <C extends Call>(call: C, input: Sendable<C>): Promise<Output<C>> => {
  try {
    return await send(call, input);
  } catch (error) {
    const result = resultOfFailure(call, error);
    if (result === undefined) throw error;
    return result;
  }
};

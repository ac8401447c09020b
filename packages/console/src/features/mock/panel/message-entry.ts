import { CODE_OK, type Envelope, Flow, MessageType, systemSignCodes } from '@device-center/contract';

/** Spec §9: function types of a mock device's messages; 0 for a message without a function. */
export type FunctionKind = 0 | 1 | 21 | 22 | 31 | 32;
/** Summary of a message: its sign codes, or its operation if it has no function. */
export type MessageSummary = { functionType: FunctionKind; codes: readonly string[]; value: string };

/** A sent or received message. `ignored`: why the device ignored it. */
export type LoggedMessage = { at: number; direction: 'up' | 'down'; envelope: Envelope; ignored?: string | undefined };
export type ResponseError = { code: number; message: string };
export type Entry = LoggedMessage & MessageSummary & { key: number; error?: ResponseError | undefined };

/** Maximum length of a value in a line; the envelope has the whole value. */
const VALUE_MAX = 200;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const parsed = (payload: string): Json => {
  try {
    const value: unknown = JSON.parse(payload);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const brief = (value: unknown): string => {
  if (value === undefined) return '';
  const text = isText(value) ? value : JSON.stringify(value);
  return text === '{}' ? '' : text.slice(0, VALUE_MAX);
};

const about = (functionType: FunctionKind, codes: readonly string[], value?: unknown): MessageSummary => ({
  functionType,
  codes,
  value: brief(value),
});

const aboutProperties = ({ properties, get }: Json): MessageSummary => {
  if (Array.isArray(get)) return about(1, get.filter(isText));
  const values = isObject(properties) ? properties : {};
  const codes = Object.keys(values);
  const [only] = codes;
  return about(1, codes, codes.length === 1 && only !== undefined ? values[only] : values);
};

const aboutEvent = ({ event, output }: Json): MessageSummary => {
  if (!isText(event)) return about(22, [], output);
  return about(systemSignCodes(22).has(event) ? 21 : 22, [event], output);
};

const aboutService = ({ service, input, output }: Json): MessageSummary => {
  if (!isText(service)) return about(32, [], output);
  return about(systemSignCodes(32).has(service) ? 31 : 32, [service], input);
};

const aboutLogs = ({ logs }: Json): MessageSummary => {
  const [first] = Array.isArray(logs) ? logs : [];
  return about(0, [], isObject(first) ? first.log : undefined);
};

const aboutChild = ({ op, child, deviceId }: Json): MessageSummary => {
  const childId = isObject(child) ? child.deviceId : deviceId;
  return about(0, isText(op) ? [op] : [], childId);
};

const aboutSync = ({ ask, changed, ...answer }: Json): MessageSummary => {
  const topics = [ask, changed].find(Array.isArray) ?? Object.keys(answer);
  return about(0, topics.filter(isText));
};

const aboutLogin = ({ op, ...more }: Json): MessageSummary => about(0, isText(op) ? [op] : [], more);

const summaryOfPayload = ({ type, payload }: Envelope): MessageSummary => {
  switch (type) {
    case MessageType.login:
      return aboutLogin(parsed(payload));
    case MessageType.config:
      return aboutProperties(parsed(payload));
    case MessageType.event:
      return aboutEvent(parsed(payload));
    case MessageType.service:
      return aboutService(parsed(payload));
    case MessageType.log:
      return aboutLogs(parsed(payload));
    case MessageType.childLogin:
      return aboutChild(parsed(payload));
    case MessageType.sync:
      return aboutSync(parsed(payload));
    case MessageType.refresh:
      return about(0, []);
    default:
      // Identity is shown unchanged; a pass-through payload is not JSON.
      return about(0, [], payload);
  }
};

/** Summarizes a message. A response often does not name its function, so it is taken from the request. */
export const summarizeEnvelope = (envelope: Envelope, request?: MessageSummary): MessageSummary => {
  const own = summaryOfPayload(envelope);
  if (envelope.dataFlow === Flow.request || !request) return own;
  const codes = own.codes.length > 0 && own.functionType === 1 ? own.codes : request.codes;
  return { functionType: request.functionType, codes, value: own.value };
};

/** The error of a response; undefined if it succeeded. */
export const responseErrorOf = ({ dataFlow, code, message = '' }: Envelope): ResponseError | undefined => {
  if (dataFlow !== Flow.response || code === undefined || code === CODE_OK) return undefined;
  return { code, message };
};

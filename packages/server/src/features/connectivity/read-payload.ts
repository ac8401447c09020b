import {
  CODE_OK,
  checkParams,
  checkValue,
  type DeviceCodeName,
  type DeviceRequest,
  deviceCodes,
  deviceRequests,
  type Envelope,
  eventReport,
  FunctionType,
  isDeviceRequest,
  LOG_LINE_MAX_BYTES,
  logReport,
  MessageType,
  type OtaProgress,
  otaProgress,
  propertyAnswer,
  propertyReport,
  serviceAnswer,
  TRANSPARENT_MAX_BYTES,
  type ValueProblem,
} from '@device-center/contract';
import type { z } from 'zod';
import type { DeviceLogTable, PropertySampleTable } from '../../db/record-tables.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { DeviceSession } from './connection-registry.ts';
import type { Model } from './model-cache.ts';

/** The parsed payload of a message, or the reason of its rejection. */
export type PayloadData = {
  functionType: number;
  functionId: string;
  value: string;
  samples: PropertySampleTable[];
  logs: DeviceLogTable[];
  /** The error code of a rejection, the code of a response, or CODE_OK for a valid request. */
  code: number;
  error?: PayloadError;
  /** The part of a response that operators see, as JSON: the properties or the service output. */
  output?: string;
  /** A progress report of an upgrade. */
  progress?: OtaProgress;
  /** A request that the hub responds to. */
  request?: DeviceRequest;
};

/** The property or service of a command. */
export type FunctionRef = { functionType: number; functionId: string };

/** Value problems are rendered as text when they are read. */
export type PayloadError = [codeName: DeviceCodeName, detail: string | ValueProblem];

const CLOCK_SKEW_MS = 5 * 60_000;

/** A payload without samples and logs. */
const basic = (value: string, functionType = 0, functionId = ''): PayloadData => ({
  functionType,
  functionId,
  value,
  samples: [],
  logs: [],
  code: CODE_OK,
});

const rejected = (parsed: PayloadData, codeName: DeviceCodeName, detail: PayloadError[1]): PayloadData => ({
  ...parsed,
  samples: [],
  logs: [],
  code: deviceCodes[codeName].number,
  error: [codeName, detail],
});

/** The sample's own time, or the hub's if it is too far in the future. */
const sampleTime = (own: number | undefined, envelope: Envelope, now: number): number => {
  const time = own ?? envelope.timestamp;
  return time > now + CLOCK_SKEW_MS ? now : time;
};

const parse = <Schema extends z.ZodType>(schema: Schema, payload: string): z.output<Schema> | undefined => {
  try {
    return schema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a property report like its schema, but by hand for speed: most messages are of this kind. */
const readReport = (payload: string): z.output<typeof propertyReport> | undefined => {
  const value = JSON.parse(payload) as unknown;
  if (!isObject(value)) return undefined;
  const { properties, time, ...more } = value;
  if (!isObject(properties) || Object.keys(properties).length === 0 || Object.keys(more).length > 0) return undefined;
  if (time === undefined) return { properties };
  const parsed = propertyReport.shape.time.safeParse(time);
  return parsed.success ? { properties, time: parsed.data } : undefined;
};

/** A value nested too deeply for JSON.stringify yields ''; its record keeps the envelope as received. */
const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
};

const problemOf = (model: Model, code: string, value: unknown): PayloadError | undefined => {
  const entry = model.functions.get(code);
  if (entry?.functionType !== FunctionType.property) return ['UNKNOWN_FUNCTION', code];
  if (entry.functionDefinition.accessMode === 'w') return ['VALUE', { path: [code], key: 'WRITE_ONLY' }];
  const [problem] = checkValue(entry.functionDefinition.dataType, value, [code]);
  return problem ? ['VALUE', problem] : undefined;
};

const readProperties = (
  session: DeviceSession,
  model: Model,
  properties: Record<string, unknown>,
  time: number,
): PayloadData => {
  const codes = Object.keys(properties);
  const [only] = codes;
  const single = codes.length === 1 && only !== undefined;
  const parsed = basic(textOf(single ? properties[only] : properties), FunctionType.property, single ? only : '*');
  for (const code of codes) {
    const problem = problemOf(model, code, properties[code]);
    if (problem) return rejected(parsed, ...problem);
  }
  const samples = codes.map((code) => ({
    device_id: session.deviceId,
    sign_code: code,
    sample_time: time,
    record_id: nextSequenceId(),
    value: JSON.stringify(properties[code]),
  }));
  return { ...parsed, samples };
};

/** System events are defined by the hub and are not in the model. */
const readEvent = (model: Model, event: string, output: Record<string, unknown>): PayloadData => {
  const value = JSON.stringify(output);
  if (event === 'otaProgress') {
    const parsed = basic(value, FunctionType.systemEvent, event);
    const progress = otaProgress.safeParse(output).data;
    return progress ? { ...parsed, progress } : rejected(parsed, 'VALUE', 'output');
  }
  const parsed = basic(value, FunctionType.event, event);
  const entry = model.functions.get(event);
  if (entry?.functionType !== FunctionType.event) return rejected(parsed, 'UNKNOWN_FUNCTION', event);
  const [problem] = checkParams(entry.functionDefinition.output, output, ['output']);
  return problem ? rejected(parsed, 'VALUE', problem) : parsed;
};

const readLogs = (session: DeviceSession, payload: string, now: number): PayloadData => {
  const report = parse(logReport, payload);
  if (!report) return rejected(basic(payload), 'MALFORMED', 'logs');
  const invalid = report.logs.findIndex(({ log }) => log.includes('\0'));
  if (invalid >= 0) return rejected(basic(`${report.logs.length}`), 'MALFORMED', `logs[${invalid}].log`);
  const tooLong = report.logs.findIndex(({ log }) => Buffer.byteLength(log) > LOG_LINE_MAX_BYTES);
  if (tooLong >= 0) return rejected(basic(`${report.logs.length}`), 'TOO_LARGE', `logs[${tooLong}].log`);
  const atLevel = report.logs.filter(({ level }) => level >= session.loggerLevel);
  const logs = atLevel.map(({ level, time, log }) => ({
    record_id: nextSequenceId(now),
    tenancy_id: session.tenancyId,
    device_id: session.deviceId,
    log_time: time > now + CLOCK_SKEW_MS ? now : time,
    level,
    log,
  }));
  return { ...basic(String(report.logs.length), 0, 'log'), logs };
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const readTransparent = (payload: string): PayloadData => {
  if (!BASE64.test(payload)) return rejected(basic(''), 'MALFORMED', 'payload is not base64');
  if (Buffer.byteLength(payload, 'base64') > TRANSPARENT_MAX_BYTES) return rejected(basic(''), 'TOO_LARGE', 'payload');
  return basic(payload);
};

const readHubRequest = (type: number, payload: string): PayloadData => {
  if (!isDeviceRequest(type)) return rejected(basic(payload), 'TYPE', String(type));
  const body = parse(deviceRequests[type], payload);
  if (!body) return rejected(basic(payload), 'MALFORMED', 'payload');
  const request = { type, body } as DeviceRequest;
  const parsed =
    request.type === MessageType.login ? basic(payload, FunctionType.systemEvent, request.body.op) : basic(payload);
  return { ...parsed, request };
};

const parseRequest = (session: DeviceSession, model: Model, envelope: Envelope, now: number): PayloadData => {
  const { payload } = envelope;
  switch (envelope.type) {
    case MessageType.config: {
      const report = readReport(payload);
      if (!report) return rejected(basic(payload, FunctionType.property), 'MALFORMED', 'payload');
      return readProperties(session, model, report.properties, sampleTime(report.time, envelope, now));
    }
    case MessageType.event: {
      const report = parse(eventReport, payload);
      return report
        ? readEvent(model, report.event, report.output)
        : rejected(basic(payload, FunctionType.event), 'MALFORMED', 'payload');
    }
    case MessageType.log:
      return readLogs(session, payload, now);
    case MessageType.transparent:
      return readTransparent(payload);
    case MessageType.service:
      return rejected(basic(payload), 'TYPE', 'services are called by the hub');
    default:
      return readHubRequest(envelope.type, payload);
  }
};

/** Parses the payload of a response; if it is not JSON, returns the text. */
const parseAnswer = (payload: string): unknown => {
  try {
    return payload === '' ? {} : (JSON.parse(payload) as unknown);
  } catch {
    return payload;
  }
};

const isWriteOnly = (model: Model, code: string): boolean => {
  const entry = model.functions.get(code);
  return entry?.functionType === FunctionType.property && entry.functionDefinition.accessMode === 'w';
};

/** Removes write-only properties, whatever the device reports. */
const readable = (model: Model, properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([code]) => !isWriteOnly(model, code)));

/** `fn`: the function that a response belongs to. */
type Read = (session: DeviceSession, model: Model, envelope: Envelope, now: number, fn?: FunctionRef) => PayloadData;

/** The property values in a response are stored as samples. */
const readPropertyAnswer: Read = (session, model, envelope, now, fn): PayloadData => {
  const answer = parseAnswer(envelope.payload);
  const answered = propertyAnswer.safeParse(answer).data?.properties;
  const properties = answered && readable(model, answered);
  const isReport = envelope.code === CODE_OK && properties !== undefined && Object.keys(properties).length > 0;
  const parsed = isReport
    ? readProperties(session, model, properties, sampleTime(undefined, envelope, now))
    : basic(envelope.payload, FunctionType.property, fn?.functionId);
  return parsed.error ? parsed : { ...parsed, output: JSON.stringify(properties ?? answer) };
};

/** Checks the output of a service against the model; the service is known from the command. */
const readServiceAnswer = (model: Model, { payload, code }: Envelope, fn?: FunctionRef): PayloadData => {
  const answer = parseAnswer(payload);
  const known = serviceAnswer.safeParse(answer).data?.output;
  const output = JSON.stringify(known ?? answer);
  const { functionType, functionId } = fn ?? { functionType: FunctionType.service, functionId: '' };
  const parsed = basic(known && payload !== '' ? output : payload, functionType, functionId);
  const entry = functionType === FunctionType.service ? model.functions.get(functionId) : undefined;
  // A response without output only confirms; any output must match the model.
  const hasOutput = code === CODE_OK && !(known && Object.keys(known).length === 0);
  const [problem] =
    hasOutput && entry?.functionType === FunctionType.service
      ? checkParams(entry.functionDefinition.output, known ?? answer, ['output'])
      : [];
  return problem ? rejected(parsed, 'VALUE', problem) : { ...parsed, output };
};

/** Commands are of these two types; responses to other requests of the hub are only recorded. */
const parseAnswerOfType: Read = (session, model, envelope, now, fn): PayloadData => {
  if (envelope.type === MessageType.config) return readPropertyAnswer(session, model, envelope, now, fn);
  return envelope.type === MessageType.service ? readServiceAnswer(model, envelope, fn) : basic(envelope.payload);
};

/** Decisions §4: a response must have a code. */
const parseResponse: Read = (session, model, envelope, now, fn): PayloadData => {
  if (envelope.code === undefined) return rejected(basic(envelope.payload), 'MALFORMED', 'code');
  const parsed = parseAnswerOfType(session, model, envelope, now, fn);
  return parsed.error ? parsed : { ...parsed, code: envelope.code };
};

/** Rejects payloads whose parsing throws, such as JSON nested too deeply. */
const rejectOnThrow =
  (read: Read): Read =>
  (session, model, envelope, now, fn) => {
    try {
      return read(session, model, envelope, now, fn);
    } catch {
      return rejected(basic(''), 'MALFORMED', 'payload');
    }
  };

/** Reads an uplink request. */
export const readRequest = rejectOnThrow(parseRequest);
/** Reads the response to a command. */
export const readResponse = rejectOnThrow(parseResponse);

import {
  CODE_OK,
  checkParams,
  checkValue,
  type DeviceCodeName,
  deviceCodes,
  type Envelope,
  eventReport,
  FunctionType,
  isUpRequest,
  LOG_LINE_MAX_BYTES,
  logReport,
  MessageType,
  type OtaProgress,
  otaProgress,
  propertyAnswer,
  propertyReport,
  serviceAnswer,
  TRANSPARENT_MAX_BYTES,
  type UpRequest,
  upRequests,
  type ValueProblem,
} from '@device-center/contract';
import type { z } from 'zod';
import type { DeviceLogTable, PropertySampleTable } from '../../db/record-tables.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { DeviceSession } from './connection-registry.ts';
import type { Model } from './model-cache.ts';

/** What is kept of a message, and if it was refused, why. */
export type Reading = {
  functionType: number;
  functionId: string;
  value: string;
  samples: PropertySampleTable[];
  logs: DeviceLogTable[];
  /** A refusal's, an answer's own, and of a request that is good CODE_OK. */
  code: number;
  refusal?: Refusal;
  /** What people are shown of an answer, as JSON: the properties, or the service's output. */
  output?: string;
  /** How an upgrade goes on. */
  progress?: OtaProgress;
  /** What the hub is to answer. */
  request?: UpRequest;
};

/** What a command was of: a property or a service. */
export type Commanded = { functionType: number; functionId: string };

/** A problem with a value is written in words where it is read. */
export type Refusal = [word: DeviceCodeName, detail: string | ValueProblem];

const AHEAD_MS = 5 * 60_000;

const plain = (value: string, functionType = 0, functionId = ''): Reading => ({
  functionType,
  functionId,
  value,
  samples: [],
  logs: [],
  code: CODE_OK,
});

const refused = (reading: Reading, word: DeviceCodeName, detail: Refusal[1]): Reading => ({
  ...reading,
  samples: [],
  logs: [],
  code: deviceCodes[word].number,
  refusal: [word, detail],
});

/** A sample's own time; one that lies ahead by more than clocks differ is the hub's. */
const sampleTime = (own: number | undefined, envelope: Envelope, now: number): number => {
  const time = own ?? envelope.timestamp;
  return time > now + AHEAD_MS ? now : time;
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

/** The report of properties as its schema has it, read by hand since most messages are one. */
const readReport = (payload: string): z.output<typeof propertyReport> | undefined => {
  const value = JSON.parse(payload) as unknown;
  if (!isObject(value)) return undefined;
  const { properties, time, ...more } = value;
  if (!isObject(properties) || Object.keys(properties).length === 0 || Object.keys(more).length > 0) return undefined;
  if (time === undefined) return { properties };
  const parsed = propertyReport.shape.time.safeParse(time);
  return parsed.success ? { properties, time: parsed.data } : undefined;
};

/** What is nested too deep to be written again has no text; its record keeps the message as it came. */
const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
};

const problemOf = (model: Model, code: string, value: unknown): Refusal | undefined => {
  const entry = model.functions.get(code);
  if (entry?.functionType !== FunctionType.property) return ['UNKNOWN_FUNCTION', code];
  if (entry.functionDefinition.accessMode === 'w') return ['VALUE', { path: [code], key: 'WRITE_ONLY' }];
  const [problem] = checkValue(entry.functionDefinition.dataType, value, [code]);
  return problem ? ['VALUE', problem] : undefined;
};

const readProperties = (
  speaker: DeviceSession,
  model: Model,
  properties: Record<string, unknown>,
  time: number,
): Reading => {
  const codes = Object.keys(properties);
  const [only] = codes;
  const single = codes.length === 1 && only !== undefined;
  const reading = plain(textOf(single ? properties[only] : properties), FunctionType.property, single ? only : '*');
  for (const code of codes) {
    const problem = problemOf(model, code, properties[code]);
    if (problem) return refused(reading, ...problem);
  }
  const samples = codes.map((code) => ({
    device_id: speaker.deviceId,
    sign_code: code,
    sample_time: time,
    record_id: nextSequenceId(),
    value: JSON.stringify(properties[code]),
  }));
  return { ...reading, samples };
};

/** System events are the hub's own and in no model. */
const readEvent = (model: Model, event: string, output: Record<string, unknown>): Reading => {
  const value = JSON.stringify(output);
  if (event === 'otaProgress') {
    const reading = plain(value, FunctionType.systemEvent, event);
    const progress = otaProgress.safeParse(output).data;
    return progress ? { ...reading, progress } : refused(reading, 'VALUE', 'output');
  }
  const reading = plain(value, FunctionType.event, event);
  const entry = model.functions.get(event);
  if (entry?.functionType !== FunctionType.event) return refused(reading, 'UNKNOWN_FUNCTION', event);
  const [problem] = checkParams(entry.functionDefinition.output, output, ['output']);
  return problem ? refused(reading, 'VALUE', problem) : reading;
};

const readLogs = (speaker: DeviceSession, payload: string, now: number): Reading => {
  const report = parse(logReport, payload);
  if (!report) return refused(plain(payload), 'MALFORMED', 'logs');
  const broken = report.logs.findIndex(({ log }) => log.includes('\0'));
  if (broken >= 0) return refused(plain(`${report.logs.length}`), 'MALFORMED', `logs[${broken}].log`);
  const long = report.logs.findIndex(({ log }) => Buffer.byteLength(log) > LOG_LINE_MAX_BYTES);
  if (long >= 0) return refused(plain(`${report.logs.length}`), 'TOO_LARGE', `logs[${long}].log`);
  const kept = report.logs.filter(({ level }) => level >= speaker.loggerLevel);
  const logs = kept.map(({ level, time, log }) => ({
    record_id: nextSequenceId(now),
    tenancy_id: speaker.tenancyId,
    device_id: speaker.deviceId,
    log_time: time > now + AHEAD_MS ? now : time,
    level,
    log,
  }));
  return { ...plain(String(report.logs.length), 0, 'log'), logs };
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const readTransparent = (payload: string): Reading => {
  if (!BASE64.test(payload)) return refused(plain(''), 'MALFORMED', 'payload is not base64');
  if (Buffer.byteLength(payload, 'base64') > TRANSPARENT_MAX_BYTES) return refused(plain(''), 'TOO_LARGE', 'payload');
  return plain(payload);
};

const readServed = (type: number, payload: string): Reading => {
  if (!isUpRequest(type)) return refused(plain(payload), 'TYPE', String(type));
  const said = parse(upRequests[type], payload);
  if (!said) return refused(plain(payload), 'MALFORMED', 'payload');
  const request = { type, said } as UpRequest;
  const reading =
    request.type === MessageType.login ? plain(payload, FunctionType.systemEvent, request.said.op) : plain(payload);
  return { ...reading, request };
};

const requestIn = (speaker: DeviceSession, model: Model, envelope: Envelope, now: number): Reading => {
  const { payload } = envelope;
  switch (envelope.type) {
    case MessageType.config: {
      const report = readReport(payload);
      if (!report) return refused(plain(payload, FunctionType.property), 'MALFORMED', 'payload');
      return readProperties(speaker, model, report.properties, sampleTime(report.time, envelope, now));
    }
    case MessageType.event: {
      const report = parse(eventReport, payload);
      return report
        ? readEvent(model, report.event, report.output)
        : refused(plain(payload, FunctionType.event), 'MALFORMED', 'payload');
    }
    case MessageType.log:
      return readLogs(speaker, payload, now);
    case MessageType.transparent:
      return readTransparent(payload);
    case MessageType.service:
      return refused(plain(payload), 'TYPE', 'services are called by the hub');
    default:
      return readServed(envelope.type, payload);
  }
};

/** An answer's payload; one that holds no JSON is the text itself. */
const answerIn = (payload: string): unknown => {
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

/** A write-only property yields no value, whatever the device answers. */
const readable = (model: Model, properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([code]) => !isWriteOnly(model, code)));

/** `commanded`: what an answer is of. */
type Read = (speaker: DeviceSession, model: Model, envelope: Envelope, now: number, commanded?: Commanded) => Reading;

/** What a property is now is a sample like any other. */
const readPropertyAnswer: Read = (speaker, model, envelope, now, commanded): Reading => {
  const answer = answerIn(envelope.payload);
  const answered = propertyAnswer.safeParse(answer).data?.properties;
  const properties = answered && readable(model, answered);
  const isReport = envelope.code === CODE_OK && properties !== undefined && Object.keys(properties).length > 0;
  const reading = isReport
    ? readProperties(speaker, model, properties, sampleTime(undefined, envelope, now))
    : plain(envelope.payload, FunctionType.property, commanded?.functionId);
  return reading.refusal ? reading : { ...reading, output: JSON.stringify(properties ?? answer) };
};

/** The output of a service of the model must fit it; which service it was stands with the command. */
const readServiceAnswer = (model: Model, { payload, code }: Envelope, commanded: Commanded | undefined): Reading => {
  const answer = answerIn(payload);
  const known = serviceAnswer.safeParse(answer).data?.output;
  const output = JSON.stringify(known ?? answer);
  const { functionType, functionId } = commanded ?? { functionType: FunctionType.service, functionId: '' };
  const reading = plain(known && payload !== '' ? output : payload, functionType, functionId);
  const entry = functionType === FunctionType.service ? model.functions.get(functionId) : undefined;
  // Devices that only confirm send no output at all; of what is sent everything must fit.
  const isMeasured = code === CODE_OK && !(known && Object.keys(known).length === 0);
  const [problem] =
    isMeasured && entry?.functionType === FunctionType.service
      ? checkParams(entry.functionDefinition.output, known ?? answer, ['output'])
      : [];
  return problem ? refused(reading, 'VALUE', problem) : { ...reading, output };
};

/** Commands are of these two types; what the hub asks besides is answered for the record alone. */
const answerOfType: Read = (speaker, model, envelope, now, commanded): Reading => {
  if (envelope.type === MessageType.config) return readPropertyAnswer(speaker, model, envelope, now, commanded);
  return envelope.type === MessageType.service
    ? readServiceAnswer(model, envelope, commanded)
    : plain(envelope.payload);
};

/** Decisions §4: a response has a code. */
const responseIn: Read = (speaker, model, envelope, now, commanded): Reading => {
  if (envelope.code === undefined) return refused(plain(envelope.payload), 'MALFORMED', 'code');
  const reading = answerOfType(speaker, model, envelope, now, commanded);
  return reading.refusal ? reading : { ...reading, code: envelope.code };
};

/** What cannot be read at all, such as JSON nested so deep that it cannot be written again, is refused like any other. */
const guarded =
  (read: Read): Read =>
  (speaker, model, envelope, now, commanded) => {
    try {
      return read(speaker, model, envelope, now, commanded);
    } catch {
      return refused(plain(''), 'MALFORMED', 'payload');
    }
  };

/** A request that came up. */
export const readRequest = guarded(requestIn);
/** An answer to a command. */
export const readResponse = guarded(responseIn);

import {
  ANSWER_WORDS_MAX,
  type DeviceCodeName,
  deviceCodes,
  type Envelope,
  Flow,
  MessageType,
  type MessageTypeId,
  PROTOCOL_VERSION,
  signMessage,
} from '@device-center/contract';
import type { MessageRecordTable } from '../../db/record-tables.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import { hashes } from '../../platform/hashes.ts';
import { nextSequenceId, timeOfNumber } from '../../platform/ids.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Intake } from './ingest.ts';

export type Down = {
  dataFlow: 0 | 1;
  type: MessageTypeId | number;
  dataId: string;
  /** An answer carries the session of its request, which may be an earlier one. */
  sessionId?: string;
  payload: string;
  code?: number;
  message?: string;
  /** What the record shows instead of the payload, where that holds a secret. */
  shown?: string;
  functionType?: number;
  functionId?: string;
  value?: string;
};

/** Signed with the device's secret and the method of its log-in; the token stays empty. */
const sealDown = (speaker: DeviceSession, down: Down, timestamp: number): Envelope => {
  const unsigned = {
    dataFlow: down.dataFlow,
    sessionId: down.sessionId ?? speaker.sessionId,
    tenantId: speaker.tenancyId,
    version: PROTOCOL_VERSION,
    signMethod: speaker.signMethod,
    token: '',
    dataId: down.dataId,
    type: down.type,
    deviceId: speaker.deviceId,
    length: Buffer.byteLength(down.payload),
    payload: down.payload,
    timestamp,
    ...(down.code === undefined ? {} : { code: down.code }),
    ...(down.message ? { message: down.message } : {}),
  };
  return { ...unsigned, signature: signMessage(hashes, speaker.signMethod, speaker.secret, unsigned) };
};

/**
 * An envelope as a record keeps it: what proves an identity is left out. Written by hand, since every message passes
 * here; all but payload and message are known to need no escape.
 */
export const redactEnvelope = (envelope: Envelope, payload = envelope.payload): string => {
  const { dataFlow, sessionId, tenantId, version, signMethod, dataId, type, deviceId, length, timestamp } = envelope;
  const code = envelope.code === undefined ? '' : `,"code":${envelope.code}`;
  const message = envelope.message === undefined ? '' : `,"message":${JSON.stringify(envelope.message)}`;
  return (
    `{"dataFlow":${dataFlow},"sessionId":"${sessionId}","tenantId":"${tenantId}","version":"${version}",` +
    `"signMethod":"${signMethod}","dataId":"${dataId}","type":${type},"deviceId":"${deviceId}","length":${length},` +
    `"payload":${JSON.stringify(payload)},"timestamp":${timestamp}${code}${message}}`
  );
};

export const createDownward = (intake: Intake) => {
  const recordOf = (speaker: DeviceSession, down: Down, envelope: Envelope, recordId: number): MessageRecordTable => ({
    record_id: recordId,
    tenancy_id: speaker.tenancyId,
    device_id: speaker.deviceId,
    message_time: timeOfNumber(recordId),
    data_flow: 2,
    response: down.dataFlow,
    message_type: down.type,
    function_type: down.functionType ?? 0,
    function_id: down.functionId ?? '',
    code: down.code ?? 0,
    message_id: Number(down.dataId),
    session_id: envelope.sessionId,
    device_time: envelope.timestamp,
    value: down.value ?? down.shown ?? down.payload,
    envelope: redactEnvelope(envelope, down.shown),
  });

  /** Sends and records. */
  const send = (peer: DeviceConnection, speaker: DeviceSession, down: Down): Promise<Delivery> => {
    const envelope = sealDown(speaker, down, Date.now());
    intake.addDownlink(recordOf(speaker, down, envelope, nextSequenceId(envelope.timestamp)));
    return peer.connection.send(Buffer.from(JSON.stringify(envelope)));
  };

  /** With the function that the record of the answer names. */
  type Request = Pick<Envelope, 'type' | 'dataId'> & {
    sessionId?: string;
    functionType?: number;
    functionId?: string;
  };

  return {
    send,
    /** It asks for what has changed if it wants to know. */
    notifyChanged(peer: DeviceConnection, speaker: DeviceSession, changed: 'model' | 'config'): void {
      void send(peer, speaker, {
        dataFlow: Flow.request,
        type: MessageType.sync,
        dataId: String(nextSequenceId()),
        payload: JSON.stringify({ changed: [changed] }),
      });
    },
    /** The answer to a request of the device. */
    answer(peer: DeviceConnection, speaker: DeviceSession, request: Request, payload: object, shown?: object): void {
      void send(peer, speaker, {
        dataFlow: Flow.response,
        type: request.type,
        dataId: request.dataId,
        ...(request.sessionId ? { sessionId: request.sessionId } : {}),
        payload: JSON.stringify(payload),
        code: 200,
        functionType: request.functionType ?? 0,
        functionId: request.functionId ?? '',
        ...(shown ? { shown: JSON.stringify(shown) } : {}),
      });
    },
    refuse(peer: DeviceConnection, speaker: DeviceSession, request: Request, word: DeviceCodeName, detail = ''): void {
      const { number, en_US } = deviceCodes[word];
      const { functionType = 0, functionId = '' } = request;
      void send(peer, speaker, {
        dataFlow: Flow.response,
        type: request.type,
        dataId: request.dataId,
        ...(request.sessionId ? { sessionId: request.sessionId } : {}),
        payload: '',
        code: number,
        functionType,
        functionId: functionId.slice(0, 64),
        message: (detail ? `${en_US}: ${detail}` : en_US).slice(0, ANSWER_WORDS_MAX),
      });
    },
  };
};

export type Downlink = ReturnType<typeof createDownward>;

import {
  type DeviceCodeName,
  deviceCodes,
  type Envelope,
  Flow,
  MessageType,
  type MessageTypeId,
  PROTOCOL_VERSION,
  RESPONSE_MESSAGE_MAX,
  signMessage,
} from '@device-center/contract';
import type { MessageRecordTable } from '../../db/record-tables.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import { hashes } from '../../platform/hashes.ts';
import { nextSequenceId, timeOfSequenceId } from '../../platform/ids.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Ingest } from './ingest.ts';

export type DownlinkMessage = {
  dataFlow: 0 | 1;
  type: MessageTypeId | number;
  dataId: string;
  /** A response carries the session of its request, which may be an earlier one. */
  sessionId?: string;
  payload: string;
  code?: number;
  message?: string;
  /** Recorded instead of a payload that contains a secret. */
  redacted?: string;
  functionType?: number;
  functionId?: string;
  value?: string;
};

/** Signs a message with the device secret and the sign method of the login; the token stays empty. */
const signDownlink = (session: DeviceSession, message: DownlinkMessage, timestamp: number): Envelope => {
  const unsigned = {
    dataFlow: message.dataFlow,
    sessionId: message.sessionId ?? session.sessionId,
    tenantId: session.tenancyId,
    version: PROTOCOL_VERSION,
    signMethod: session.signMethod,
    token: '',
    dataId: message.dataId,
    type: message.type,
    deviceId: session.deviceId,
    length: Buffer.byteLength(message.payload),
    payload: message.payload,
    timestamp,
    ...(message.code === undefined ? {} : { code: message.code }),
    ...(message.message ? { message: message.message } : {}),
  };
  return { ...unsigned, signature: signMessage(hashes, session.signMethod, session.secret, unsigned) };
};

/**
 * The envelope for the message record, without token and signature. Serialized by hand for speed, since every message
 * passes here; only payload and message can contain characters to escape.
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

export const createDownlink = (ingest: Ingest) => {
  const recordRow = (
    session: DeviceSession,
    message: DownlinkMessage,
    envelope: Envelope,
    recordId: number,
  ): MessageRecordTable => ({
    record_id: recordId,
    tenancy_id: session.tenancyId,
    device_id: session.deviceId,
    message_time: timeOfSequenceId(recordId),
    data_flow: 2,
    response: message.dataFlow,
    message_type: message.type,
    function_type: message.functionType ?? 0,
    function_id: message.functionId ?? '',
    code: message.code ?? 0,
    message_id: Number(message.dataId),
    session_id: envelope.sessionId,
    device_time: envelope.timestamp,
    value: message.value ?? message.redacted ?? message.payload,
    envelope: redactEnvelope(envelope, message.redacted),
  });

  /** Sends and records a message. */
  const send = (connection: DeviceConnection, session: DeviceSession, message: DownlinkMessage): Promise<Delivery> => {
    const envelope = signDownlink(session, message, Date.now());
    ingest.addDownlink(recordRow(session, message, envelope, nextSequenceId(envelope.timestamp)));
    return connection.client.send(Buffer.from(JSON.stringify(envelope)));
  };

  /** A request, with the function that the record of the response names. */
  type Request = Pick<Envelope, 'type' | 'dataId'> & {
    sessionId?: string;
    functionType?: number;
    functionId?: string;
  };

  return {
    send,
    /** Notifies the device of a change; it requests the new state itself. */
    notifyChanged(connection: DeviceConnection, session: DeviceSession, changed: 'model' | 'config'): void {
      void send(connection, session, {
        dataFlow: Flow.request,
        type: MessageType.sync,
        dataId: String(nextSequenceId()),
        payload: JSON.stringify({ changed: [changed] }),
      });
    },
    /** Responds to a request of the device. */
    respond(
      connection: DeviceConnection,
      session: DeviceSession,
      request: Request,
      payload: object,
      redacted?: object,
    ): void {
      void send(connection, session, {
        dataFlow: Flow.response,
        type: request.type,
        dataId: request.dataId,
        ...(request.sessionId ? { sessionId: request.sessionId } : {}),
        payload: JSON.stringify(payload),
        code: 200,
        functionType: request.functionType ?? 0,
        functionId: request.functionId ?? '',
        ...(redacted ? { redacted: JSON.stringify(redacted) } : {}),
      });
    },
    sendError(
      connection: DeviceConnection,
      session: DeviceSession,
      request: Request,
      codeName: DeviceCodeName,
      detail = '',
    ): void {
      const { number, en_US } = deviceCodes[codeName];
      const { functionType = 0, functionId = '' } = request;
      void send(connection, session, {
        dataFlow: Flow.response,
        type: request.type,
        dataId: request.dataId,
        ...(request.sessionId ? { sessionId: request.sessionId } : {}),
        payload: '',
        code: number,
        functionType,
        functionId: functionId.slice(0, 64),
        message: (detail ? `${en_US}: ${detail}` : en_US).slice(0, RESPONSE_MESSAGE_MAX),
      });
    },
  };
};

export type Downlink = ReturnType<typeof createDownlink>;

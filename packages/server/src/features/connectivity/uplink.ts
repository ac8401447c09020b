import {
  type DeviceCodeName,
  type DeviceRequest,
  type Envelope,
  Flow,
  FunctionType,
  MessageType,
  type OtaProgress,
} from '@device-center/contract';
import { problemForDevice, storedProblem } from '../../domain/model/value-problem.ts';
import { nextSequenceId, timeOfSequenceId } from '../../platform/ids.ts';
import type { Uplink, WriteResult } from '../../records/batch.ts';
import { type Rejection, rejectionRow } from '../../records/rejections.ts';
import { authenticateMessage } from './authenticate-message.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import { type Downlink, redactEnvelope } from './downlink.ts';
import type { Ingest } from './ingest.ts';
import type { ModelCache } from './model-cache.ts';
import { type FunctionRef, type PayloadData, type PayloadError, readRequest, readResponse } from './read-payload.ts';

export type UplinkDeps = {
  models: Pick<ModelCache, 'of'>;
  ingest: Ingest;
  downlink: Downlink;
  /** Handles a request that the hub responds to, after its record is committed. */
  handleRequest: (
    connection: DeviceConnection,
    session: DeviceSession,
    envelope: Envelope,
    request: DeviceRequest,
    parsed: PayloadData,
  ) => void;
  /** Applies the response to a command: after its record is committed, before it is acknowledged. */
  onResponse: (session: DeviceSession, envelope: Envelope, parsed: PayloadData) => Promise<void>;
  /** The property or service that a response belongs to. */
  commandedFunction: (session: DeviceSession, envelope: Envelope) => Promise<FunctionRef | undefined>;
  /** Called when the device's own secret has signed a message for the first time. */
  recordSecretProof: (session: DeviceSession) => void;
  /** Applies an upgrade report before it is acknowledged. */
  upgradeReported: (session: DeviceSession, report: OtaProgress) => Promise<void>;
};

/** The origin of messages: the hub's MQTT server or a zone broker. It maps a topic to the device's connection. */
export type Source = {
  connectionFor: (topic: string) => DeviceConnection | undefined;
  /** The message is a last will, signed at CONNECT with the token of that time. */
  isWill?: boolean;
  /** The message was sent before the device logged in again: it is stored, but gets no response. */
  isDelayed?: boolean;
  /** Called when the message is stored for the first time. */
  onStored?: (session: DeviceSession, envelope: Envelope, request: DeviceRequest | undefined) => void;
};

/** Repeated rejections of a device are recorded at most this often. */
const REJECTION_INTERVAL_MS = 10_000;

/** PostgreSQL cannot store NUL in text. */
const replaceNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

const functionTypes = new Map<number, number>([
  [MessageType.config, FunctionType.property],
  [MessageType.event, FunctionType.event],
  [MessageType.service, FunctionType.service],
]);

/** Function type of a message whose payload was not read. */
const functionTypeOf = (messageType: number): number => functionTypes.get(messageType) ?? 0;

/** Processes uplink messages: authenticate, read, store, respond, acknowledge after the commit. */
export const createUplink = (deps: UplinkDeps) => {
  const { models, ingest, downlink, handleRequest, onResponse, recordSecretProof, upgradeReported } = deps;

  const recordRejection = (
    connection: DeviceConnection,
    session: DeviceSession,
    ...[cause, detail]: PayloadError
  ): void => {
    const now = Date.now();
    if (now - connection.lastRejectionAt < REJECTION_INTERVAL_MS) return;
    connection.lastRejectionAt = now;
    const { tenancyId, productId, deviceId } = session;
    const { ip, transport } = connection;
    const rejection: Rejection = {
      tenancyId,
      productId,
      deviceId,
      cause,
      detail: replaceNul(typeof detail === 'string' ? detail : storedProblem(detail)),
      place: 'message',
      ip,
      transport,
    };
    ingest.addConnectionEvent(rejectionRow(rejection, now));
  };

  const uplinkRow = (session: DeviceSession, envelope: Envelope, parsed: PayloadData, recordId: number): Uplink => ({
    record: {
      record_id: recordId,
      tenancy_id: session.tenancyId,
      device_id: session.deviceId,
      message_time: timeOfSequenceId(recordId),
      data_flow: 1,
      response: envelope.dataFlow,
      message_type: envelope.type,
      function_type: parsed.functionType,
      function_id: replaceNul(parsed.functionId).slice(0, 64),
      code: parsed.code,
      message_id: Number(envelope.dataId),
      session_id: envelope.sessionId,
      device_time: envelope.timestamp,
      value: replaceNul(parsed.value),
      envelope: redactEnvelope(envelope),
    },
    samples: parsed.samples,
    logs: parsed.logs,
  });

  const respond = (
    connection: DeviceConnection,
    session: DeviceSession,
    envelope: Envelope,
    parsed: PayloadData,
    result: WriteResult,
  ): void => {
    const { type, dataId, sessionId } = envelope;
    const { functionType, functionId } = parsed;
    const sendError = (codeName: DeviceCodeName, detail: PayloadError[1] = ''): void =>
      downlink.sendError(
        connection,
        session,
        { type, dataId, sessionId, functionType, functionId: replaceNul(functionId) },
        codeName,
        typeof detail === 'string' ? detail : problemForDevice(detail),
      );
    if (result === 'unstorable') sendError('FAULT');
    else if (result === 'conflict') sendError('DATA_ID');
    else if (envelope.dataFlow === Flow.response) return;
    else if (parsed.error) sendError(...parsed.error);
    else if (parsed.request) handleRequest(connection, session, envelope, parsed.request, parsed);
  };

  /**
   * Work before the acknowledgement, if any. Duplicates are applied too: a message may have been stored but not applied
   * when the process was killed.
   */
  const apply = (session: DeviceSession, envelope: Envelope, parsed: PayloadData): Promise<void> | undefined => {
    if (parsed.progress) return upgradeReported(session, parsed.progress);
    return envelope.dataFlow === Flow.response ? onResponse(session, envelope, parsed) : undefined;
  };

  type ReceivedMessage = {
    connection: DeviceConnection;
    session: DeviceSession;
    envelope: Envelope;
    source: Source;
    acknowledge: () => void;
  };

  const store = (
    { connection, session, envelope, source, acknowledge }: ReceivedMessage,
    commanded?: FunctionRef,
  ): void => {
    const now = Date.now();
    const read = envelope.dataFlow === Flow.response ? readResponse : readRequest;
    const parsed = read(session, models.of(session.productId), envelope, now, commanded);
    if (parsed.error) recordRejection(connection, session, ...parsed.error);
    ingest.addUplink(uplinkRow(session, envelope, parsed, nextSequenceId(now)), (result) => {
      if (result === 'stored') source.onStored?.(session, envelope, parsed.request);
      // The error response precedes the PUBACK: after the PUBACK a device knows that no error follows.
      if (!source.isDelayed) respond(connection, session, envelope, parsed, result);
      const isStored = result === 'stored' || result === 'duplicate';
      if (isStored && session.secretProven === 0) recordSecretProof(session);
      const applied = isStored ? apply(session, envelope, parsed) : undefined;
      if (applied === undefined) acknowledge();
      else void applied.then(acknowledge);
    });
  };

  /** Only the command row tells which function was requested: an error response names no property. */
  const storeResponse = async (message: ReceivedMessage): Promise<void> =>
    store(message, await deps.commandedFunction(message.session, message.envelope).catch(() => undefined));

  return {
    /** Calls `acknowledge` when the message is stored or rejected, and at once if the topic has no connection here. */
    handle(topic: string, bytes: Buffer, source: Source, acknowledge: () => void): void {
      const connection = source.connectionFor(topic);
      if (!connection) {
        acknowledge();
        return;
      }
      const result = authenticateMessage(connection, bytes, source.isWill === true || source.isDelayed === true);
      if (!result.ok) {
        recordRejection(connection, result.session, result.codeName, result.detail);
        // The sender of a will is offline; on a zone broker a new connection could receive the response.
        if (!source.isWill && !source.isDelayed)
          downlink.sendError(
            connection,
            result.session,
            { ...result.request, functionType: functionTypeOf(result.request.type) },
            result.codeName,
            result.detail,
          );
        acknowledge();
        return;
      }
      const message: ReceivedMessage = { ...result, connection, source, acknowledge };
      const { dataFlow, type } = result.envelope;
      if (dataFlow === Flow.response && (type === MessageType.config || type === MessageType.service))
        void storeResponse(message);
      else store(message);
    },
  };
};

import {
  type DeviceCodeName,
  type Envelope,
  Flow,
  FunctionType,
  MessageType,
  type OtaProgress,
  type UpRequest,
} from '@device-center/contract';
import { problemForDevice, storedProblem } from '../../db/value-problem.ts';
import { nextSequenceId, timeOfNumber } from '../../platform/ids.ts';
import type { Uplink, Verdict } from '../../records/batch.ts';
import { type Refusal, refusalRow } from '../../records/rejections.ts';
import { authenticateMessage } from './authenticate-message.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import { type Downlink, redactEnvelope } from './downlink.ts';
import type { Intake } from './ingest.ts';
import type { Models } from './model-cache.ts';
import { type Commanded, type Reading, type Refusal as Refused, readRequest, readResponse } from './read-payload.ts';

export type UplinkDeps = {
  models: Pick<Models, 'of'>;
  intake: Intake;
  downward: Downlink;
  /** A request that the hub answers, once its record is committed. */
  serve: (
    peer: DeviceConnection,
    speaker: DeviceSession,
    envelope: Envelope,
    request: UpRequest,
    reading: Reading,
  ) => void;
  /** An answer to one of the hub's requests, once its record is committed; applied before it is acknowledged. */
  answered: (speaker: DeviceSession, envelope: Envelope, reading: Reading) => Promise<void>;
  /** The property or service that an answer is of. */
  commandedBy: (speaker: DeviceSession, envelope: Envelope) => Promise<Commanded | undefined>;
  /** Its own secret has signed a message for the first time. */
  prove: (speaker: DeviceSession) => void;
  /** A report of an upgrade, applied before it is acknowledged: it may decide how that ends. */
  upgradeReported: (speaker: DeviceSession, report: OtaProgress) => Promise<void>;
};

/**
 * Where messages come from: the hub's own gateway is one, a zone's broker another. It knows who speaks on a topic, and
 * how to reach him.
 */
export type Source = {
  connectionFor: (topic: string) => DeviceConnection | undefined;
  /** A will was written when the connection was made, with the token of then. */
  isWill?: boolean;
  /** Said before the device logged in again, and come only now: kept, and not answered. */
  late?: boolean;
  /** It is stored, and for the first time. */
  heard?: (speaker: DeviceSession, envelope: Envelope, request: UpRequest | undefined) => void;
};

/** A device that is refused again and again says the same each time: recorded every so often. */
const REFUSAL_EVERY_MS = 10_000;

/** PostgreSQL keeps no NUL in a text. */
const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

const functionTypes = new Map<number, number>([
  [MessageType.config, FunctionType.property],
  [MessageType.event, FunctionType.event],
  [MessageType.service, FunctionType.service],
]);

/** Of a message that could not be read further. */
const functionTypeOf = (messageType: number): number => functionTypes.get(messageType) ?? 0;

/** What comes up: judged, read, kept, acknowledged after the commit, answered. */
export const createUplink = (deps: UplinkDeps) => {
  const { models, intake, downward, serve, answered, prove, upgradeReported } = deps;

  const recordRefusal = (peer: DeviceConnection, speaker: DeviceSession, ...[cause, detail]: Refused): void => {
    const now = Date.now();
    if (now - peer.refusalAt < REFUSAL_EVERY_MS) return;
    peer.refusalAt = now;
    const { tenancyId, productId, deviceId } = speaker;
    const { ip, transport } = peer;
    const refusal: Refusal = {
      tenancyId,
      productId,
      deviceId,
      cause,
      detail: clean(typeof detail === 'string' ? detail : storedProblem(detail)),
      place: 'message',
      ip,
      transport,
    };
    intake.addConnectionEvent(refusalRow(refusal, now));
  };

  const uplinkOf = (speaker: DeviceSession, envelope: Envelope, reading: Reading, recordId: number): Uplink => ({
    record: {
      record_id: recordId,
      tenancy_id: speaker.tenancyId,
      device_id: speaker.deviceId,
      message_time: timeOfNumber(recordId),
      data_flow: 1,
      response: envelope.dataFlow,
      message_type: envelope.type,
      function_type: reading.functionType,
      function_id: clean(reading.functionId).slice(0, 64),
      code: reading.code,
      message_id: Number(envelope.dataId),
      session_id: envelope.sessionId,
      device_time: envelope.timestamp,
      value: clean(reading.value),
      envelope: redactEnvelope(envelope),
    },
    samples: reading.samples,
    logs: reading.logs,
  });

  const tell = (
    peer: DeviceConnection,
    speaker: DeviceSession,
    envelope: Envelope,
    reading: Reading,
    verdict: Verdict,
  ): void => {
    const { type, dataId, sessionId } = envelope;
    const { functionType, functionId } = reading;
    const refuse = (word: DeviceCodeName, detail: Refused[1] = ''): void =>
      downward.refuse(
        peer,
        speaker,
        { type, dataId, sessionId, functionType, functionId: clean(functionId) },
        word,
        typeof detail === 'string' ? detail : problemForDevice(detail),
      );
    if (verdict === 'fault') refuse('FAULT');
    else if (verdict === 'conflict') refuse('DATA_ID');
    else if (envelope.dataFlow === Flow.response) return;
    else if (reading.refusal) refuse(...reading.refusal);
    else if (reading.request) serve(peer, speaker, envelope, reading.request, reading);
  };

  /**
   * What is done with it before it is acknowledged, if anything. Also with one that came twice: what was stored and not
   * applied, when the hub was killed, is applied now.
   */
  const apply = (speaker: DeviceSession, envelope: Envelope, reading: Reading): Promise<void> | undefined => {
    if (reading.progress) return upgradeReported(speaker, reading.progress);
    return envelope.dataFlow === Flow.response ? answered(speaker, envelope, reading) : undefined;
  };

  type Judged = {
    peer: DeviceConnection;
    speaker: DeviceSession;
    envelope: Envelope;
    source: Source;
    acknowledge: () => void;
  };

  const keep = ({ peer, speaker, envelope, source, acknowledge }: Judged, commanded?: Commanded): void => {
    const now = Date.now();
    const read = envelope.dataFlow === Flow.response ? readResponse : readRequest;
    const reading = read(speaker, models.of(speaker.productId), envelope, now, commanded);
    if (reading.refusal) recordRefusal(peer, speaker, ...reading.refusal);
    intake.keep(uplinkOf(speaker, envelope, reading, nextSequenceId(now)), (verdict) => {
      if (verdict === 'stored') source.heard?.(speaker, envelope, reading.request);
      // First the refusal, then the PUBACK: a device that has its PUBACK knows that no refusal is still to come.
      if (!source.late) tell(peer, speaker, envelope, reading, verdict);
      const isKept = verdict === 'stored' || verdict === 'repeat';
      if (isKept && speaker.secretProven === 0) prove(speaker);
      const applied = isKept ? apply(speaker, envelope, reading) : undefined;
      if (applied === undefined) acknowledge();
      else void applied.then(acknowledge);
    });
  };

  /** What was commanded stands with the command alone: a refusal, say, names no property. */
  const keepAnswer = async (message: Judged): Promise<void> =>
    keep(message, await deps.commandedBy(message.speaker, message.envelope).catch(() => undefined));

  return {
    /** `acknowledge` when it is stored, or refused for good; of a topic that nobody here speaks on, at once. */
    take(topic: string, bytes: Buffer, source: Source, acknowledge: () => void): void {
      const peer = source.connectionFor(topic);
      if (!peer) {
        acknowledge();
        return;
      }
      const judged = authenticateMessage(peer, bytes, source.isWill === true || source.late === true);
      if (!judged.ok) {
        recordRefusal(peer, judged.speaker, judged.word, judged.detail);
        // Who has said goodbye is not answered: on a zone's broker it may be back already.
        if (!source.isWill && !source.late)
          downward.refuse(
            peer,
            judged.speaker,
            { ...judged.request, functionType: functionTypeOf(judged.request.type) },
            judged.word,
            judged.detail,
          );
        acknowledge();
        return;
      }
      const message: Judged = { ...judged, peer, source, acknowledge };
      const { dataFlow, type } = judged.envelope;
      if (dataFlow === Flow.response && (type === MessageType.config || type === MessageType.service))
        void keepAnswer(message);
      else keep(message);
    },
  };
};

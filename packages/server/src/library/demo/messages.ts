import {
  CODE_OK,
  checkValue,
  deviceCodes,
  fieldPath,
  MessageType,
  type ModelFunction,
  PROTOCOL_VERSION,
  valueProblemText,
} from '@device-center/contract';
import { createSteadyBehavior, type SteadyBehavior } from '@device-center/virtual-device';
import type { DeviceLogTable } from '../../db/record-tables.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import type { Uplink } from '../../records/batch.ts';
import type { SampleEvent } from './company.ts';
import { type OnlinePeriod, type PlannedDevice, versionAt } from './plan.ts';

/**
 * Hubs number records upward from the start of a millisecond: the history uses the upper half, so that numbers never
 * collide.
 */
const FIRST_OFFSET = 2_048;
const OFFSETS = 2_048;
let lastOffset = 0;

/** A record id for that time. */
export const recordIdAt = (time: number): number => {
  lastOffset = (lastOffset + 1) % OFFSETS;
  return firstSequenceIdAt(time) + FIRST_OFFSET + lastOffset;
};

const FIRST_DATA_ID = 10_000;
const INFO = 4;

type Content = {
  type: number;
  functionType: number;
  functionId: string;
  payload: object;
  value: unknown;
  code?: number;
};

/** Builds the messages of one device in its history, as the hub would have stored them. */
export const createMessageBuilder = (
  device: PlannedDevice,
  functions: ModelFunction[],
  sampleEvents: SampleEvent[],
) => {
  const { company, product, deviceId, seed } = device;
  const curveContext = { seed, offsetHours: company.offsetHours };
  const behavior: SteadyBehavior = createSteadyBehavior(functions, {
    curves: product.curves,
    context: curveContext,
    random: Math.random,
    defaults: product.defaults,
  });
  let dataId = FIRST_DATA_ID;
  let session = '';

  const envelopeOf = (content: Content, period: OnlinePeriod, time: number): string => {
    const payload = JSON.stringify(content.payload);
    return JSON.stringify({
      dataFlow: 0,
      sessionId: period.sessionId,
      tenantId: company.tenancyId,
      version: PROTOCOL_VERSION,
      signMethod: 'hmacsha256',
      dataId: String(dataId),
      type: content.type,
      deviceId,
      length: Buffer.byteLength(payload),
      payload,
      timestamp: time,
    });
  };

  const build = (content: Content, period: OnlinePeriod, time: number): Uplink => {
    dataId = session === period.sessionId ? dataId + 1 : FIRST_DATA_ID;
    session = period.sessionId;
    return {
      record: {
        record_id: recordIdAt(time),
        tenancy_id: company.tenancyId,
        device_id: deviceId,
        message_time: time,
        data_flow: 1,
        response: 0,
        message_type: content.type,
        function_type: content.functionType,
        function_id: content.functionId,
        code: content.code ?? CODE_OK,
        message_id: dataId,
        session_id: period.sessionId,
        device_time: time,
        value: typeof content.value === 'string' ? content.value : JSON.stringify(content.value),
        envelope: envelopeOf(content, period, time),
      },
      samples: [],
      logs: [],
    };
  };

  const reportOf = (properties: Record<string, unknown>, period: OnlinePeriod, time: number, code?: number): Uplink =>
    build(
      {
        type: MessageType.config,
        functionType: 1,
        functionId: '*',
        payload: { properties },
        value: properties,
        ...(code === undefined ? {} : { code }),
      },
      period,
      time,
    );

  return {
    online: (period: OnlinePeriod): Uplink => {
      const payload = { op: 'online', versionNumber: versionAt(device, period.from), mac: device.mac };
      const content = { type: MessageType.login, functionType: 21, functionId: 'online', payload, value: payload };
      return build(content, period, period.from + 200);
    },
    /** Report of the measurements; with `whole`, of all properties. */
    report: (period: OnlinePeriod, time: number, whole: boolean): Uplink => {
      const properties = whole ? behavior.fullReportAt(time) : behavior.reportAt(time);
      const uplink = reportOf(properties, period, time);
      const samples = Object.entries(properties).map(([sign_code, value]) => ({
        device_id: deviceId,
        sign_code,
        sample_time: time,
        record_id: uplink.record.record_id,
        value: JSON.stringify(value),
      }));
      return { ...uplink, samples };
    },
    /** A report with a value outside of the model: stored as a message, not as a sample. */
    invalidReport: (period: OnlinePeriod, time: number): { uplink: Uplink; detail: string } | null => {
      for (const entry of functions) {
        if (entry.functionType !== 1 || !product.curves[entry.signCode]) continue;
        const { dataType } = entry.functionDefinition;
        const invalidValue = 9_999;
        const [problem] = checkValue(dataType, invalidValue, [entry.signCode]);
        if (!problem || (dataType.type !== 'double' && dataType.type !== 'integer')) continue;
        const uplink = reportOf(
          { ...behavior.reportAt(time), [entry.signCode]: invalidValue },
          period,
          time,
          deviceCodes.VALUE.number,
        );
        return { uplink, detail: `${fieldPath(problem.path)}: ${valueProblemText(problem, 'en_US')}` };
      }
      return null;
    },
    sampleEvent: (period: OnlinePeriod, time: number, index: number): Uplink | null => {
      const found = sampleEvents[index % Math.max(1, sampleEvents.length)];
      if (!found) return null;
      const { event, output } = found;
      const content = { type: MessageType.event, functionType: 22, functionId: event, payload: { event, output } };
      return build({ ...content, value: output }, period, time);
    },
    log: (period: OnlinePeriod, time: number): Uplink => {
      const lines = product.logs.map((log, index) => ({ level: INFO, time: time + index * 20, log }));
      const content = { type: MessageType.log, functionType: 0, functionId: 'log', payload: { logs: lines } };
      const uplink = build({ ...content, value: String(lines.length) }, period, time);
      const logs = lines.map(
        (line): DeviceLogTable => ({
          record_id: recordIdAt(time),
          tenancy_id: company.tenancyId,
          device_id: deviceId,
          log_time: line.time,
          level: line.level,
          log: line.log,
        }),
      );
      return { ...uplink, logs };
    },
  };
};

export type MessageBuilder = ReturnType<typeof createMessageBuilder>;

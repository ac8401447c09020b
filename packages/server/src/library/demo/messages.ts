import {
  CODE_OK,
  checkValue,
  deviceCodes,
  MessageType,
  type ModelFunction,
  PROTOCOL_VERSION,
  placeOf,
  valueProblemText,
} from '@device-center/contract';
import { createSteadyBehavior, type SteadyBehavior } from '@device-center/virtual-device';
import type { DeviceLogTable } from '../../db/record-tables.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import type { Uplink } from '../../records/batch.ts';
import type { Happening } from './company.ts';
import { type OnlinePeriod, type PlannedDevice, versionAt } from './plan.ts';

/** A hub counts upward from the beginning of its millisecond: what is written here stands above, and meets nobody. */
const ABOVE = 2_048;
const PLACES = 2_048;
let last = 0;

/** The id of a record of that time. */
export const recordIdAt = (time: number): number => {
  last = (last + 1) % PLACES;
  return firstSequenceIdAt(time) + ABOVE + last;
};

const FIRST_DATA_ID = 10_000;
const INFO = 4;

type Said = {
  type: number;
  functionType: number;
  functionId: string;
  payload: object;
  value: unknown;
  code?: number;
};

/** One device's voice in its history: what it says, as the hub would have kept it. */
export const createClientRuntime = (device: PlannedDevice, functions: ModelFunction[], sampleEvents: Happening[]) => {
  const { company, product, deviceId, seed } = device;
  const curveContext = { seed, offsetHours: company.offsetHours };
  const body: SteadyBehavior = createSteadyBehavior(functions, {
    curves: product.curves,
    context: curveContext,
    random: Math.random,
    defaults: product.defaults,
  });
  let dataId = FIRST_DATA_ID;
  let session = '';

  const envelopeOf = (said: Said, stay: OnlinePeriod, time: number): string => {
    const payload = JSON.stringify(said.payload);
    return JSON.stringify({
      dataFlow: 0,
      sessionId: stay.sessionId,
      tenantId: company.tenancyId,
      version: PROTOCOL_VERSION,
      signMethod: 'hmacsha256',
      dataId: String(dataId),
      type: said.type,
      deviceId,
      length: Buffer.byteLength(payload),
      payload,
      timestamp: time,
    });
  };

  const say = (said: Said, stay: OnlinePeriod, time: number): Uplink => {
    dataId = session === stay.sessionId ? dataId + 1 : FIRST_DATA_ID;
    session = stay.sessionId;
    return {
      record: {
        record_id: recordIdAt(time),
        tenancy_id: company.tenancyId,
        device_id: deviceId,
        message_time: time,
        data_flow: 1,
        response: 0,
        message_type: said.type,
        function_type: said.functionType,
        function_id: said.functionId,
        code: said.code ?? CODE_OK,
        message_id: dataId,
        session_id: stay.sessionId,
        device_time: time,
        value: typeof said.value === 'string' ? said.value : JSON.stringify(said.value),
        envelope: envelopeOf(said, stay, time),
      },
      samples: [],
      logs: [],
    };
  };

  const reportOf = (properties: Record<string, unknown>, stay: OnlinePeriod, time: number, code?: number): Uplink =>
    say(
      {
        type: MessageType.config,
        functionType: 1,
        functionId: '*',
        payload: { properties },
        value: properties,
        ...(code === undefined ? {} : { code }),
      },
      stay,
      time,
    );

  return {
    online: (stay: OnlinePeriod): Uplink => {
      const payload = { op: 'online', versionNumber: versionAt(device, stay.from), mac: device.mac };
      const said = { type: MessageType.login, functionType: 21, functionId: 'online', payload, value: payload };
      return say(said, stay, stay.from + 200);
    },
    /** What it measures; with `whole`, all that it knows. */
    report: (stay: OnlinePeriod, time: number, whole: boolean): Uplink => {
      const properties = whole ? body.fullReportAt(time) : body.reportAt(time);
      const uplink = reportOf(properties, stay, time);
      const samples = Object.entries(properties).map(([sign_code, value]) => ({
        device_id: deviceId,
        sign_code,
        sample_time: time,
        record_id: uplink.record.record_id,
        value: JSON.stringify(value),
      }));
      return { ...uplink, samples };
    },
    /** A value that its model does not allow: kept as a message, never as data. */
    nonsense: (stay: OnlinePeriod, time: number): { uplink: Uplink; detail: string } | null => {
      for (const entry of functions) {
        if (entry.functionType !== 1 || !product.curves[entry.signCode]) continue;
        const { dataType } = entry.functionDefinition;
        const wrong = 9_999;
        const [problem] = checkValue(dataType, wrong, [entry.signCode]);
        if (!problem || (dataType.type !== 'double' && dataType.type !== 'integer')) continue;
        const uplink = reportOf(
          { ...body.reportAt(time), [entry.signCode]: wrong },
          stay,
          time,
          deviceCodes.VALUE.number,
        );
        return { uplink, detail: `${placeOf(problem.path)}: ${valueProblemText(problem, 'en_US')}` };
      }
      return null;
    },
    happen: (stay: OnlinePeriod, time: number, place: number): Uplink | null => {
      const happening = sampleEvents[place % Math.max(1, sampleEvents.length)];
      if (!happening) return null;
      const { event, output } = happening;
      const said = { type: MessageType.event, functionType: 22, functionId: event, payload: { event, output } };
      return say({ ...said, value: output }, stay, time);
    },
    log: (stay: OnlinePeriod, time: number): Uplink => {
      const lines = product.logs.map((log, place) => ({ level: INFO, time: time + place * 20, log }));
      const said = { type: MessageType.log, functionType: 0, functionId: 'log', payload: { logs: lines } };
      const uplink = say({ ...said, value: String(lines.length) }, stay, time);
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

export type Voice = ReturnType<typeof createClientRuntime>;

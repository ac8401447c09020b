import type { Entry, FunctionKind } from './message-entry.ts';

/** In the order of spec §9: all, properties, event, service, system event, system service. */
export const functionKinds = [0, 1, 22, 32, 21, 31] as const satisfies FunctionKind[];

export const directions = ['all', 'up', 'down'] as const;

export type MessageFilter = {
  /** 0: all. */
  functionType: FunctionKind;
  direction: (typeof directions)[number];
  /** Spec §9: 0 request, 1 response. */
  dataFlow: 'all' | 0 | 1;
  /** '' for all devices. */
  deviceId: string;
  text: string;
};

export const noFilter: MessageFilter = { functionType: 0, direction: 'all', dataFlow: 'all', deviceId: '', text: '' };

type Test = (entry: Entry) => boolean;

/** Case-insensitive search. A regular expression avoids a lower-case copy of every message. */
const textTest = (text: string): Test => {
  const expression = new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'i');
  return ({ codes, envelope: { payload, dataId, deviceId, code, message } }) =>
    expression.test(payload) ||
    codes.some((word) => expression.test(word)) ||
    [dataId, deviceId, String(code ?? ''), message ?? ''].some((word) => expression.test(word));
};

const testsOf = ({ functionType, direction, dataFlow, deviceId, text }: MessageFilter): Test[] => [
  ...(functionType === 0 ? [] : [(entry: Entry) => entry.functionType === functionType]),
  ...(direction === 'all' ? [] : [(entry: Entry) => entry.direction === direction]),
  ...(dataFlow === 'all' ? [] : [(entry: Entry) => entry.envelope.dataFlow === dataFlow]),
  ...(deviceId === '' ? [] : [(entry: Entry) => entry.envelope.deviceId === deviceId]),
  ...(text.trim() === '' ? [] : [textTest(text.trim())]),
];

export const filtered = (entries: readonly Entry[], filter: MessageFilter): readonly Entry[] => {
  const tests = testsOf(filter);
  return tests.length === 0 ? entries : entries.filter((entry) => tests.every((test) => test(entry)));
};

/** A message with its summary as one line of JSON, for other programs. */
export const jsonLine = ({ at, direction, functionType, codes, error, ignored, envelope }: Entry): string =>
  JSON.stringify({
    time: new Date(at).toISOString(),
    direction,
    functionType,
    functions: codes,
    refusal: error,
    ignored,
    envelope,
  });

export const jsonLines = (entries: readonly Entry[]): string => entries.map((entry) => `${jsonLine(entry)}\n`).join('');

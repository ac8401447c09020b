type Json = Record<string, unknown>;

const dataTypes: ((index: number) => Json)[] = [
  (index) => ({ type: 'int', specs: { min: '0', max: String(100 + index), step: '1', unit: '%' } }),
  () => ({ type: 'float', specs: { min: '-40', max: '85', step: '0.1', unit: '°C' } }),
  () => ({ type: 'double', specs: { min: '0', max: '1000', step: '0.01' } }),
  () => ({ type: 'text', specs: { length: '64' } }),
  () => ({ type: 'date', specs: {} }),
  () => ({ type: 'bool', specs: { 0: 'off', 1: 'on' } }),
  () => ({ type: 'enum', specs: { 0: 'low', 1: 'medium', 2: 'high' } }),
  () => ({
    type: 'struct',
    specs: [
      { identifier: 'x', name: 'x', dataType: { type: 'int', specs: { min: '0', max: '9' } } },
      { identifier: 'label', name: 'label', dataType: { type: 'text', specs: { length: '8' } } },
    ],
  }),
  () => ({ type: 'array', specs: { size: '16', item: { type: 'int', specs: {} } } }),
];

const typeOf = (index: number): Json => dataTypes[index % dataTypes.length]?.(index) ?? {};

const property = (_: unknown, index: number): Json => ({
  identifier: `measure${index}`,
  name: `Measure ${index}`,
  accessMode: index % 3 === 0 ? 'rw' : 'r',
  desc: '',
  required: false,
  dataType: typeOf(index),
});

const event = (_: unknown, index: number): Json => ({
  identifier: `happened${index}`,
  name: `Happened ${index}`,
  type: index % 2 === 0 ? 'info' : 'alert',
  required: false,
  method: `thing.event.happened${index}.post`,
  outputData: [{ identifier: 'reason', name: 'Reason', dataType: typeOf(index + 3) }],
});

const service = (_: unknown, index: number): Json => ({
  identifier: `perform${index}`,
  name: `Perform ${index}`,
  callType: index % 2 === 0 ? 'sync' : 'async',
  required: false,
  method: `thing.service.perform${index}`,
  inputData: [{ identifier: 'amount', name: 'Amount', dataType: typeOf(index) }],
  outputData: [{ identifier: 'done', name: 'Done', dataType: { type: 'bool', specs: { 0: 'no', 1: 'yes' } } }],
});

/** A file as Alibaba's console writes it: 40 properties, 10 events and 10 services, of every data type. */
export const tslOfSixty = (): string =>
  JSON.stringify({
    schema: 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json',
    profile: { productKey: 'a1BcDeFgHiJ' },
    properties: Array.from({ length: 40 }, property),
    events: [
      {
        identifier: 'post',
        name: 'post',
        type: 'info',
        method: 'thing.event.property.post',
        outputData: [],
      },
      ...Array.from({ length: 10 }, event),
    ],
    services: Array.from({ length: 10 }, service),
  });

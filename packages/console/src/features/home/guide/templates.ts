import type { DataType, ModelFunction, NodeTypeId, ProductClassId } from '@device-center/contract';
import i18next from 'i18next';

export const templateIds = ['sensor', 'switch', 'gateway'] as const;
export type TemplateId = (typeof templateIds)[number];

/** A product of the guide: a standard category, and a function model small enough to read. */
export type ProductPlan = {
  categoryId: string;
  nodeType: NodeTypeId;
  classId: ProductClassId;
  productName: () => string;
  functions: () => ModelFunction[];
  /** Properties whose values vary while the card is open. */
  moving: readonly string[];
  /** The initial value of each property. */
  start: Readonly<Record<string, unknown>>;
};

export type Template = {
  product: ProductPlan;
  /** Product and number of a gateway's children. */
  child: ProductPlan | null;
  children: number;
  /** The property that the first command sets. */
  command: { signCode: string; next: (current: unknown) => unknown };
};

const property = (
  signCode: string,
  functionName: string,
  accessMode: 'r' | 'rw',
  dataType: DataType,
): ModelFunction => ({
  signCode,
  functionName,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode, dataType },
});

const service = (signCode: string, functionName: string, identifier: string, name: string, dataType: DataType) =>
  ({
    signCode,
    functionName,
    functionType: 32,
    description: '',
    functionDefinition: {
      callType: 'sync',
      input: [{ identifier, name, dataType, required: true }],
      output: [],
    },
  }) satisfies ModelFunction;

const integerType = (min: number, max: number, unit: string): DataType => ({
  type: 'integer',
  min,
  max,
  step: 1,
  unit,
});
const booleanType = (): DataType => ({
  type: 'boolean',
  trueText: i18next.t('guide:on'),
  falseText: i18next.t('guide:off'),
});

/** The report interval in seconds, which the mock device applies. */
export const INTERVAL = 'reportInterval';
export const FIRST_INTERVAL_S = 3;

const thermometer: Omit<ProductPlan, 'nodeType' | 'productName'> = {
  categoryId: 'std-environment-sensor',
  classId: 2,
  functions: () => [
    property('temperature', i18next.t('guide:temperature'), 'r', {
      type: 'double',
      min: -40,
      max: 85,
      step: 0.1,
      unit: '°C',
    }),
    property(INTERVAL, i18next.t('guide:reportInterval'), 'rw', integerType(1, 3_600, 's')),
    service('identify', i18next.t('guide:identify'), 'seconds', i18next.t('guide:seconds'), integerType(1, 60, 's')),
  ],
  moving: ['temperature'],
  start: { temperature: 21.5, [INTERVAL]: FIRST_INTERVAL_S },
};

const toggled = (current: unknown): boolean => current !== true;

export const templates: Readonly<Record<TemplateId, Template>> = {
  sensor: {
    product: { ...thermometer, nodeType: 1, productName: () => i18next.t('guide:nameSensor') },
    child: null,
    children: 0,
    command: { signCode: INTERVAL, next: (current) => (current === 1 ? FIRST_INTERVAL_S : 1) },
  },
  switch: {
    product: {
      categoryId: 'std-socket',
      nodeType: 1,
      classId: 1,
      productName: () => i18next.t('guide:nameSwitch'),
      functions: () => [
        property('power', i18next.t('guide:power'), 'rw', booleanType()),
        property('voltage', i18next.t('guide:voltage'), 'r', {
          type: 'double',
          min: 0,
          max: 300,
          step: 0.1,
          unit: 'V',
        }),
        service(
          'countdown',
          i18next.t('guide:countdown'),
          'minutes',
          i18next.t('guide:minutes'),
          integerType(1, 1_440, 'min'),
        ),
      ],
      moving: ['voltage'],
      start: { power: true, voltage: 229.5 },
    },
    child: null,
    children: 0,
    command: { signCode: 'power', next: toggled },
  },
  gateway: {
    product: {
      categoryId: 'std-gateway',
      nodeType: 2,
      classId: 3,
      productName: () => i18next.t('guide:nameGateway'),
      functions: () => [
        property('signal', i18next.t('guide:signal'), 'r', integerType(-130, 0, 'dBm')),
        property('pairing', i18next.t('guide:pairing'), 'rw', booleanType()),
        service(
          'permitJoin',
          i18next.t('guide:permitJoin'),
          'seconds',
          i18next.t('guide:seconds'),
          integerType(1, 600, 's'),
        ),
      ],
      moving: ['signal'],
      start: { signal: -62, pairing: false },
    },
    child: { ...thermometer, nodeType: 3, productName: () => i18next.t('guide:nameChild') },
    children: 2,
    command: { signCode: 'pairing', next: toggled },
  },
};

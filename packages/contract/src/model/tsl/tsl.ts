/** TSL, the model format of Alibaba Cloud IoT, as far as it is used here. Limits are text. */
export type Tsl = {
  schema: string;
  profile: { productKey: string; version: string };
  properties: TslProperty[];
  events: TslEvent[];
  services: TslService[];
  [OWN]?: { order: string[] };
};

export type TslProperty = {
  identifier: string;
  name: string;
  accessMode: 'rw' | 'r' | 'w';
  desc: string;
  required: boolean;
  dataType: TslDataType;
};

export type TslEvent = {
  identifier: string;
  name: string;
  type: 'info' | 'alert' | 'error';
  desc: string;
  method: string;
  required: boolean;
  outputData: TslParam[];
  [OWN]?: { eventType: string };
};

export type TslService = {
  identifier: string;
  name: string;
  callType: 'sync' | 'async';
  desc: string;
  method: string;
  required: boolean;
  inputData: TslParam[];
  outputData: TslParam[];
};

/** `required` is our extension, written only if false: TSL treats every parameter as required. */
export type TslParam = { identifier: string; name: string; dataType: TslDataType; required?: boolean };

export type TslDataType = {
  type: string;
  specs: Record<string, unknown> | TslParam[];
  [OWN]?: Record<string, unknown>;
};

/** Key of our extensions; other platforms ignore unknown keys. */
export const OWN = 'x-device-center';

export const TSL_SCHEMA = 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const ownOf = (value: Record<string, unknown>): Record<string, unknown> => {
  const own = value[OWN];
  return isObject(own) ? own : {};
};

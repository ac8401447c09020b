import { checkParams, checkValue, type ModelFunction } from '@device-center/contract';
import { DeviceError, type Values } from '@device-center/device-sdk';
import { nextParams, nextValue, type Random } from './values.ts';

type Property = ModelFunction & { functionType: 1 };
type Event = ModelFunction & { functionType: 22 };
type Service = ModelFunction & { functionType: 32 };

/** Simulated behaviour of a device: property values, events and service outputs by its product's model. */
export type DeviceBehavior = {
  /** New values of a few readable properties; null if the model has none. */
  nextReport: () => Values | null;
  /** Changes the given properties a little; by default all readable ones. */
  move: (signCodes?: string[]) => Values;
  nextEvent: () => { event: string; output: Values } | null;
  serve: (service: string, input: Values) => Values;
  set: (properties: Values) => Values;
  read: (signCodes: string[]) => Values;
  /** Replaces the defaults; a property whose default has changed takes the new one as its value. */
  setDefaults: (defaults: Values) => void;
};

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

const REPORTED_MAX = 3;

/** Validates simulated values against the model: an invalid one is a bug of the simulator. */
const validated = <Value>(problems: unknown[], value: Value): Value => {
  if (problems.length > 0) throw new Error(`simulated value violates the model: ${JSON.stringify(problems)}`);
  return value;
};

/** `defaults`: initial property values, and outputs of services; without one, a plausible random value. */
export const createDeviceBehavior = (model: ModelFunction[], random: Random, defaults: Values = {}): DeviceBehavior => {
  const properties = model.filter((entry): entry is Property => entry.functionType === 1);
  const events = model.filter((entry): entry is Event => entry.functionType === 22);
  const services = new Map(
    model.filter((entry): entry is Service => entry.functionType === 32).map((entry) => [entry.signCode, entry]),
  );
  const byCode = new Map(properties.map((entry) => [entry.signCode, entry]));
  const readable = properties.filter((entry) => entry.functionDefinition.accessMode !== 'w');
  const currentDefaults = new Map(Object.entries(defaults));
  const values = new Map(properties.map(({ signCode }) => [signCode, currentDefaults.get(signCode)] as const));

  const move = ({ signCode, functionDefinition: { dataType } }: Property): [string, unknown] => {
    const value = nextValue(dataType, values.get(signCode), random);
    values.set(signCode, validated(checkValue(dataType, value), value));
    return [signCode, value];
  };

  const propertyOf = (signCode: string): Property => {
    const entry = byCode.get(signCode);
    if (!entry) throw new DeviceError('UNKNOWN_FUNCTION', signCode);
    return entry;
  };

  return {
    nextReport: () => {
      if (readable.length === 0) return null;
      const start = Math.floor(random() * readable.length);
      const count = Math.min(readable.length, 1 + Math.floor(random() * REPORTED_MAX));
      const chosen = Array.from({ length: count }, (_, index) => readable[(start + index) % readable.length]);
      return Object.fromEntries(chosen.flatMap((entry) => (entry ? [move(entry)] : [])));
    },

    move: (signCodes) => Object.fromEntries((signCodes ? signCodes.map(propertyOf) : readable).map(move)),

    nextEvent: () => {
      const entry = events[Math.floor(random() * events.length)];
      if (!entry) return null;
      const { output: params } = entry.functionDefinition;
      const output = nextParams(params, {}, random);
      return { event: entry.signCode, output: validated(checkParams(params, output), output) };
    },

    serve: (service, input) => {
      const entry = services.get(service);
      if (!entry) throw new DeviceError('UNSUPPORTED', service);
      const { input: inputParams, output: params } = entry.functionDefinition;
      if (checkParams(inputParams, input).length > 0) throw new DeviceError('VALUE', service);
      const output = (currentDefaults.get(service) as Values | undefined) ?? nextParams(params, input, random);
      return validated(checkParams(params, output), output);
    },

    set: (given) => {
      for (const [signCode, value] of Object.entries(given))
        if (checkValue(propertyOf(signCode).functionDefinition.dataType, value).length > 0)
          throw new DeviceError('VALUE', signCode);
      for (const [signCode, value] of Object.entries(given)) values.set(signCode, value);
      return given;
    },

    read: (signCodes) =>
      Object.fromEntries(
        signCodes.map((signCode) =>
          values.get(signCode) === undefined ? move(propertyOf(signCode)) : [signCode, values.get(signCode)],
        ),
      ),

    setDefaults: (next) => {
      for (const { signCode } of properties)
        if (!isSame(next[signCode], currentDefaults.get(signCode))) values.set(signCode, next[signCode]);
      currentDefaults.clear();
      for (const [signCode, value] of Object.entries(next)) currentDefaults.set(signCode, value);
    },
  };
};

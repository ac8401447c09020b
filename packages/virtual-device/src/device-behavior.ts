import { checkParams, checkValue, type ModelFunction } from '@device-center/contract';
import { DeviceError, type Values } from '@device-center/device-sdk';
import { nextParams, nextValue, type Random } from './values.ts';

type Property = ModelFunction & { functionType: 1 };
type Event = ModelFunction & { functionType: 22 };
type Service = ModelFunction & { functionType: 32 };

/** What a device measures, feels and does, by its product's model. */
export type Body = {
  /** A few properties that have changed; nothing where the model has none to read. */
  measure: () => Values | null;
  /** These properties, each moved a little; all that can be read, where none are named. */
  move: (signCodes?: string[]) => Values;
  happen: () => { event: string; output: Values } | null;
  serve: (service: string, input: Values) => Values;
  set: (properties: Values) => Values;
  read: (signCodes: string[]) => Values;
  /** What it says from now on unless it knows better; a property whose default is another takes that value. */
  setDefaults: (defaults: Values) => void;
};

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

const MEASURED_MAX = 3;

/** Our own values are held against the model too: a simulator that lies would be worth nothing. */
const sound = <Value>(problems: unknown[], value: Value): Value => {
  if (problems.length > 0) throw new Error(`a simulated value does not fit its model: ${JSON.stringify(problems)}`);
  return value;
};

/** `defaults`: what it says of a function unless it knows better; without one, something believable. */
export const createBody = (model: ModelFunction[], random: Random, defaults: Values = {}): Body => {
  const properties = model.filter((entry): entry is Property => entry.functionType === 1);
  const events = model.filter((entry): entry is Event => entry.functionType === 22);
  const services = new Map(
    model.filter((entry): entry is Service => entry.functionType === 32).map((entry) => [entry.signCode, entry]),
  );
  const byCode = new Map(properties.map((entry) => [entry.signCode, entry]));
  const readable = properties.filter((entry) => entry.functionDefinition.accessMode !== 'w');
  const said = new Map(Object.entries(defaults));
  const values = new Map(properties.map(({ signCode }) => [signCode, said.get(signCode)] as const));

  const move = ({ signCode, functionDefinition: { dataType } }: Property): [string, unknown] => {
    const value = nextValue(dataType, values.get(signCode), random);
    values.set(signCode, sound(checkValue(dataType, value), value));
    return [signCode, value];
  };

  const known = (signCode: string): Property => {
    const entry = byCode.get(signCode);
    if (!entry) throw new DeviceError('UNKNOWN_FUNCTION', signCode);
    return entry;
  };

  return {
    measure: () => {
      if (readable.length === 0) return null;
      const start = Math.floor(random() * readable.length);
      const count = Math.min(readable.length, 1 + Math.floor(random() * MEASURED_MAX));
      const chosen = Array.from({ length: count }, (_, index) => readable[(start + index) % readable.length]);
      return Object.fromEntries(chosen.flatMap((entry) => (entry ? [move(entry)] : [])));
    },

    move: (signCodes) => Object.fromEntries((signCodes ? signCodes.map(known) : readable).map(move)),

    happen: () => {
      const entry = events[Math.floor(random() * events.length)];
      if (!entry) return null;
      const { output: params } = entry.functionDefinition;
      const output = nextParams(params, {}, random);
      return { event: entry.signCode, output: sound(checkParams(params, output), output) };
    },

    serve: (service, input) => {
      const entry = services.get(service);
      if (!entry) throw new DeviceError('UNSUPPORTED', service);
      const { input: wanted, output: params } = entry.functionDefinition;
      if (checkParams(wanted, input).length > 0) throw new DeviceError('VALUE', service);
      const output = (said.get(service) as Values | undefined) ?? nextParams(params, input, random);
      return sound(checkParams(params, output), output);
    },

    set: (given) => {
      for (const [signCode, value] of Object.entries(given))
        if (checkValue(known(signCode).functionDefinition.dataType, value).length > 0)
          throw new DeviceError('VALUE', signCode);
      for (const [signCode, value] of Object.entries(given)) values.set(signCode, value);
      return given;
    },

    read: (signCodes) =>
      Object.fromEntries(
        signCodes.map((signCode) =>
          values.get(signCode) === undefined ? move(known(signCode)) : [signCode, values.get(signCode)],
        ),
      ),

    setDefaults: (next) => {
      for (const { signCode } of properties)
        if (!isSame(next[signCode], said.get(signCode))) values.set(signCode, next[signCode]);
      said.clear();
      for (const [signCode, value] of Object.entries(next)) said.set(signCode, value);
    },
  };
};

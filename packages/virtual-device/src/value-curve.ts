import { checkParams, checkValue, type ModelFunction } from '@device-center/contract';
import type { Values } from '@device-center/device-sdk';
import { createDeviceBehavior, type DeviceBehavior } from './device-behavior.ts';
import type { Random } from './values.ts';

/**
 * Describes a value as a function of time alone, so that generated history and live values form one continuous curve,
 * also after a restart.
 */
export type ValueCurve =
  /** Daily cycle with its maximum at `peakHour`. */
  | { kind: 'daily'; low: number; high: number; peakHour: number; noise: number; decimals: number }
  /** Busy on weekdays from 8 to 18, idle at night and at the weekend. */
  | { kind: 'working'; idle: number; busy: number; noise: number; decimals: number }
  /** Monotonically increasing, like a meter reading. */
  | { kind: 'meter'; start: number; perDay: number; decimals: number }
  /** Falls from 100 to 15 %, then starts again at 100. */
  | { kind: 'battery'; lastsDays: number }
  /** Each value from its hour on, the first also from midnight; `noise` varies numbers by this share. */
  | { kind: 'timetable'; entries: [hour: number, value: unknown][]; noise?: number | undefined }
  /** True in this share of all 15-minute intervals, mostly during working hours. */
  | { kind: 'occasional'; share: number }
  /** Moves along the stops and back; one round takes `hours`. */
  | { kind: 'route'; stops: number[]; hours: number; noise: number }
  | { kind: 'fields'; fields: Record<string, ValueCurve> }
  | { kind: 'list'; entries: ValueCurve[] };

/** Seed, which makes the curves of two devices differ, and the offset of local time from UTC. */
export type CurveContext = { seed: number; offsetHours: number };

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const DAY_MS = 24 * HOUR_MS;
/** When meters started at their `start` value. */
const METERS_EPOCH = Date.UTC(2025, 0, 1);

/** Deterministic pseudo-random number from 0 to 1. */
const hashToUnit = (seed: number, index: number): number => {
  let mixed = Math.imul(seed ^ Math.imul(index | 0, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
};

const seedOf = (seed: number, name: string): number =>
  [...name].reduce((mixed, character) => Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193), seed);

/** Smooth noise from -1 to 1: interpolates between the pseudo-random values of two hours. */
const drift = (seed: number, time: number): number => {
  const hour = Math.floor(time / HOUR_MS);
  const share = (1 - Math.cos(((time / HOUR_MS) % 1) * Math.PI)) / 2;
  return (hashToUnit(seed, hour) * (1 - share) + hashToUnit(seed, hour + 1) * share) * 2 - 1;
};

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const localHour = (time: number, { offsetHours }: CurveContext): number => (time / HOUR_MS + offsetHours + 24) % 24;

/** 1 January 1970 was a Thursday. */
const isWeekday = (time: number, { offsetHours }: CurveContext): boolean =>
  ((Math.floor(time / DAY_MS + offsetHours / 24) + 4) % 7) % 6 !== 0;

/** Activity from 0 to 1: ramps up and down over 1.5 hours at the edges of the working day. */
const activity = (time: number, context: CurveContext): number => {
  const hour = localHour(time, context);
  const ramp = Math.min(1, Math.max(0, (hour - 7.25) / 1.5), Math.max(0, (19 - hour) / 1.5));
  return isWeekday(time, context) ? ramp : ramp * 0.25;
};

/** Position along the route: 0 is the first stop, 1 the last. */
const alongRoute = (time: number, hours: number, seed: number): number => {
  const phase = (time / HOUR_MS / hours + hashToUnit(seed, 0)) % 1;
  return phase < 0.5 ? phase * 2 : 2 - phase * 2;
};

const between = (stops: number[], share: number): number => {
  const position = share * (stops.length - 1);
  const from = stops[Math.floor(position)] ?? 0;
  const to = stops[Math.ceil(position)] ?? from;
  return from + (to - from) * (position % 1);
};

const scheduled = (entries: [number, unknown][], hour: number): unknown =>
  (entries.findLast(([from]) => hour >= from) ?? entries[0])?.[1];

/** Value of a curve at a time. `name` is part of the seed, so that two properties of a device differ. */
export const valueAt = (curve: ValueCurve, name: string, time: number, context: CurveContext): unknown => {
  const seed = seedOf(context.seed, name);
  switch (curve.kind) {
    case 'daily': {
      const { low, high, peakHour, noise, decimals } = curve;
      const wave = (1 + Math.cos(((localHour(time, context) - peakHour) / 24) * 2 * Math.PI)) / 2;
      const own = (hashToUnit(seed, -1) - 0.5) * noise;
      return rounded(low + (high - low) * wave + own + drift(seed, time) * noise, decimals);
    }
    case 'working': {
      const { idle, busy, noise, decimals } = curve;
      const level = idle + (busy - idle) * activity(time, context);
      return rounded(Math.max(0, level + drift(seed, time) * noise), decimals);
    }
    case 'meter': {
      const { start, perDay, decimals } = curve;
      const days = (time - METERS_EPOCH) / DAY_MS;
      return rounded(start * (1 + hashToUnit(seed, 1)) + perDay * (0.6 + 0.8 * hashToUnit(seed, 2)) * days, decimals);
    }
    case 'battery': {
      const spent = (time / DAY_MS / curve.lastsDays + hashToUnit(seed, 0)) % 1;
      return Math.round(100 - 85 * spent);
    }
    case 'timetable': {
      const { entries, noise } = curve;
      const value = scheduled(entries, localHour(time, context));
      if (noise === undefined || typeof value !== 'number') return value;
      return rounded(value * (1 + drift(seed, time) * noise), 1);
    }
    case 'occasional':
      return hashToUnit(seed, Math.floor(time / QUARTER_MS)) < curve.share * (0.25 + 1.5 * activity(time, context));
    case 'route': {
      const { stops, hours, noise } = curve;
      // Seeded by the device only: latitude and longitude must follow the same position.
      return rounded(between(stops, alongRoute(time, hours, context.seed)) + drift(seed, time) * noise, 5);
    }
    case 'fields':
      return Object.fromEntries(
        Object.entries(curve.fields).map(([field, part]) => [field, valueAt(part, name + field, time, context)]),
      );
    case 'list':
      return curve.entries.map((part, index) => valueAt(part, name + index, time, context));
  }
};

export type SteadyBehavior = DeviceBehavior & {
  /** Values at a time of all properties with a curve, except batteries, which change over weeks. */
  reportAt: (time: number) => Values;
  /** Values at a time of all readable properties. */
  fullReportAt: (time: number) => Values;
};

type SteadyOptions = { curves: Record<string, ValueCurve>; context: CurveContext; random: Random; defaults?: Values };

/** Keeps the defaults that are valid: the model may have changed since they were chosen. */
const validDefaults = (model: ModelFunction[], defaults: Values): Values =>
  Object.fromEntries(
    model.flatMap((entry) =>
      entry.functionType === 1 && checkValue(entry.functionDefinition.dataType, defaults[entry.signCode]).length === 0
        ? [[entry.signCode, defaults[entry.signCode]]]
        : [],
    ),
  );

/** Behaviour whose values follow curves. A property that a command has set keeps that value. */
export const createSteadyBehavior = (
  model: ModelFunction[],
  { curves, context, random, defaults = {} }: SteadyOptions,
): SteadyBehavior => {
  const services = new Map(
    model.flatMap((entry) => (entry.functionType === 32 ? [[entry.signCode, entry.functionDefinition.output]] : [])),
  );
  const behavior = createDeviceBehavior(model, random, validDefaults(model, defaults));
  const curveOf = new Map<string, (time: number) => unknown>();
  for (const entry of model) {
    const curve = curves[entry.signCode];
    if (entry.functionType !== 1 || !curve) continue;
    const { dataType } = entry.functionDefinition;
    curveOf.set(entry.signCode, (time) => {
      const value = valueAt(curve, entry.signCode, time, context);
      // The model may have changed so that the curve's value is invalid: fall back to a random valid value.
      return checkValue(dataType, value).length === 0 ? value : behavior.move([entry.signCode])[entry.signCode];
    });
  }
  const setByCommand = new Set<string>();
  const readable = model.flatMap((entry) =>
    entry.functionType === 1 && entry.functionDefinition.accessMode !== 'w' ? [entry.signCode] : [],
  );
  const measured = readable.filter((signCode) => curveOf.has(signCode) && curves[signCode]?.kind !== 'battery');

  const readAt = (signCodes: string[], time: number): Values =>
    Object.fromEntries(
      signCodes.map((signCode) => {
        const follow = setByCommand.has(signCode) ? undefined : curveOf.get(signCode);
        return [signCode, follow ? follow(time) : behavior.read([signCode])[signCode]];
      }),
    );

  return {
    ...behavior,
    reportAt: (time) => readAt(measured, time),
    fullReportAt: (time) => readAt(readable, time),
    read: (signCodes) => readAt(signCodes, Date.now()),
    serve: (service, input) => {
      const output = behavior.serve(service, input);
      // An output with the name of a property must equal its current value.
      const measured = readAt(
        Object.keys(output).filter((name) => curveOf.has(name)),
        Date.now(),
      );
      const merged = { ...output, ...measured };
      return checkParams(services.get(service) ?? [], merged).length === 0 ? merged : output;
    },
    set: (properties) => {
      const now = behavior.set(properties);
      for (const signCode of Object.keys(properties)) setByCommand.add(signCode);
      return now;
    },
  };
};

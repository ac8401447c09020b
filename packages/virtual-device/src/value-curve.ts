import { checkParams, checkValue, type ModelFunction } from '@device-center/contract';
import type { Values } from '@device-center/device-sdk';
import { type Body, createBody } from './device-behavior.ts';
import type { Random } from './values.ts';

/**
 * How a value goes over days and weeks, told by the time alone: a history that was written beforehand and what the
 * device says today are one line, also after a restart.
 */
export type Course =
  /** Up and down once a day, highest at `peakHour`. */
  | { kind: 'daily'; low: number; high: number; peakHour: number; noise: number; decimals: number }
  /** Busy on weekdays from 8 to 18, idle at night and at the weekend. */
  | { kind: 'working'; idle: number; busy: number; noise: number; decimals: number }
  /** Only ever rises, as what a meter has counted. */
  | { kind: 'meter'; start: number; perDay: number; decimals: number }
  /** From 100 down to 15 %, then it is full again. */
  | { kind: 'battery'; lastsDays: number }
  /** Each value from its hour on, the first one from midnight; a number more or less by this share. */
  | { kind: 'timetable'; entries: [hour: number, value: unknown][]; noise?: number | undefined }
  /** True for this share of the quarters of an hour, mostly while people are about. */
  | { kind: 'nowAndThen'; share: number }
  /** There and back along these stops, once in so many hours. */
  | { kind: 'route'; stops: number[]; hours: number; noise: number }
  | { kind: 'fields'; fields: Record<string, Course> }
  | { kind: 'list'; entries: Course[] };

/** Whose course: no two of a kind are alike. `offsetHours`: local time is so much ahead of UTC. */
export type Lifeline = { seed: number; offsetHours: number };

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const DAY_MS = 24 * HOUR_MS;
/** Meters count from here on. */
const METERS_SINCE = Date.UTC(2025, 0, 1);

/** From 0 to 1, always the same for the same two numbers. */
const chance = (seed: number, place: number): number => {
  let mixed = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
};

const seedOf = (seed: number, name: string): number =>
  [...name].reduce((mixed, character) => Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193), seed);

/** From -1 to 1, without jumps: from one hour's chance to the next one's. */
const drift = (seed: number, time: number): number => {
  const hour = Math.floor(time / HOUR_MS);
  const share = (1 - Math.cos(((time / HOUR_MS) % 1) * Math.PI)) / 2;
  return (chance(seed, hour) * (1 - share) + chance(seed, hour + 1) * share) * 2 - 1;
};

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const localHour = (time: number, { offsetHours }: Lifeline): number => (time / HOUR_MS + offsetHours + 24) % 24;

/** 1 January 1970 was a Thursday. */
const isWeekday = (time: number, { offsetHours }: Lifeline): boolean =>
  ((Math.floor(time / DAY_MS + offsetHours / 24) + 4) % 7) % 6 !== 0;

/** How much people are about, from 0 to 1; comes and goes within an hour and a half. */
const bustle = (time: number, life: Lifeline): number => {
  const hour = localHour(time, life);
  const ramp = Math.min(1, Math.max(0, (hour - 7.25) / 1.5), Math.max(0, (19 - hour) / 1.5));
  return isWeekday(time, life) ? ramp : ramp * 0.25;
};

/** Where between the stops: 0 is the first, 1 the last. */
const alongRoute = (time: number, hours: number, seed: number): number => {
  const phase = (time / HOUR_MS / hours + chance(seed, 0)) % 1;
  return phase < 0.5 ? phase * 2 : 2 - phase * 2;
};

const between = (stops: number[], share: number): number => {
  const place = share * (stops.length - 1);
  const from = stops[Math.floor(place)] ?? 0;
  const to = stops[Math.ceil(place)] ?? from;
  return from + (to - from) * (place % 1);
};

const scheduled = (entries: [number, unknown][], hour: number): unknown =>
  (entries.findLast(([from]) => hour >= from) ?? entries[0])?.[1];

/** The value of this course at that time. `name`: what is measured, so that two properties do not move as one. */
export const valueAt = (course: Course, name: string, time: number, life: Lifeline): unknown => {
  const seed = seedOf(life.seed, name);
  switch (course.kind) {
    case 'daily': {
      const { low, high, peakHour, noise, decimals } = course;
      const wave = (1 + Math.cos(((localHour(time, life) - peakHour) / 24) * 2 * Math.PI)) / 2;
      const own = (chance(seed, -1) - 0.5) * noise;
      return rounded(low + (high - low) * wave + own + drift(seed, time) * noise, decimals);
    }
    case 'working': {
      const { idle, busy, noise, decimals } = course;
      const level = idle + (busy - idle) * bustle(time, life);
      return rounded(Math.max(0, level + drift(seed, time) * noise), decimals);
    }
    case 'meter': {
      const { start, perDay, decimals } = course;
      const days = (time - METERS_SINCE) / DAY_MS;
      return rounded(start * (1 + chance(seed, 1)) + perDay * (0.6 + 0.8 * chance(seed, 2)) * days, decimals);
    }
    case 'battery': {
      const spent = (time / DAY_MS / course.lastsDays + chance(seed, 0)) % 1;
      return Math.round(100 - 85 * spent);
    }
    case 'timetable': {
      const { entries, noise } = course;
      const value = scheduled(entries, localHour(time, life));
      if (noise === undefined || typeof value !== 'number') return value;
      return rounded(value * (1 + drift(seed, time) * noise), 1);
    }
    case 'nowAndThen':
      return chance(seed, Math.floor(time / QUARTER_MS)) < course.share * (0.25 + 1.5 * bustle(time, life));
    case 'route': {
      const { stops, hours, noise } = course;
      // By the device and not by the property: latitude and longitude are on the road together.
      return rounded(between(stops, alongRoute(time, hours, life.seed)) + drift(seed, time) * noise, 5);
    }
    case 'fields':
      return Object.fromEntries(
        Object.entries(course.fields).map(([field, inner]) => [field, valueAt(inner, name + field, time, life)]),
      );
    case 'list':
      return course.entries.map((inner, index) => valueAt(inner, name + index, time, life));
  }
};

export type SteadyBody = Body & {
  /** What it measures at that time: every property that has a course, but for what changes over weeks. */
  measureAt: (time: number) => Values;
  /** Every property that can be read. */
  allAt: (time: number) => Values;
};

type Steady = { courses: Record<string, Course>; life: Lifeline; random: Random; defaults?: Values };

/** Properties whose default the model allows; one that was changed since may not. */
const fitting = (model: ModelFunction[], defaults: Values): Values =>
  Object.fromEntries(
    model.flatMap((entry) =>
      entry.functionType === 1 && checkValue(entry.functionDefinition.dataType, defaults[entry.signCode]).length === 0
        ? [[entry.signCode, defaults[entry.signCode]]]
        : [],
    ),
  );

/** A body whose values follow their courses. What somebody has set stays as he set it. */
export const createSteadyBody = (
  model: ModelFunction[],
  { courses, life, random, defaults = {} }: Steady,
): SteadyBody => {
  const services = new Map(
    model.flatMap((entry) => (entry.functionType === 32 ? [[entry.signCode, entry.functionDefinition.output]] : [])),
  );
  const body = createBody(model, random, fitting(model, defaults));
  const followed = new Map<string, (time: number) => unknown>();
  for (const entry of model) {
    const course = courses[entry.signCode];
    if (entry.functionType !== 1 || !course) continue;
    const { dataType } = entry.functionDefinition;
    followed.set(entry.signCode, (time) => {
      const value = valueAt(course, entry.signCode, time, life);
      // A model that was changed since may have no place for it: then something that fits, as of any other device.
      return checkValue(dataType, value).length === 0 ? value : body.move([entry.signCode])[entry.signCode];
    });
  }
  const commanded = new Set<string>();
  const readable = model.flatMap((entry) =>
    entry.functionType === 1 && entry.functionDefinition.accessMode !== 'w' ? [entry.signCode] : [],
  );
  const measured = readable.filter((signCode) => followed.has(signCode) && courses[signCode]?.kind !== 'battery');

  const readAt = (signCodes: string[], time: number): Values =>
    Object.fromEntries(
      signCodes.map((signCode) => {
        const follow = commanded.has(signCode) ? undefined : followed.get(signCode);
        return [signCode, follow ? follow(time) : body.read([signCode])[signCode]];
      }),
    );

  return {
    ...body,
    measureAt: (time) => readAt(measured, time),
    allAt: (time) => readAt(readable, time),
    read: (signCodes) => readAt(signCodes, Date.now()),
    serve: (service, input) => {
      const output = body.serve(service, input);
      // What a service tells of a property is what the property is.
      const measured = readAt(
        Object.keys(output).filter((name) => followed.has(name)),
        Date.now(),
      );
      const told = { ...output, ...measured };
      return checkParams(services.get(service) ?? [], told).length === 0 ? told : output;
    },
    set: (properties) => {
      const now = body.set(properties);
      for (const signCode of Object.keys(properties)) commanded.add(signCode);
      return now;
    },
  };
};

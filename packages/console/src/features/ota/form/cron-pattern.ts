/** Schedules that the builder supports; other expressions must be typed. */
export type CronPattern =
  | { kind: 'hours'; every: number; minute: number }
  | { kind: 'daily'; hour: number; minute: number }
  | { kind: 'weekly'; days: number[]; hour: number; minute: number }
  | { kind: 'monthly'; days: number[]; hour: number; minute: number };

export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;

const numberIn = (text: string | undefined, max: number): number | undefined => {
  if (text === undefined || !/^\d{1,2}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= max ? number : undefined;
};

/** Parses `1,3-5` to 1, 3, 4, 5. */
const numbersIn = (text: string, min: number, max: number): number[] | undefined => {
  const numbers = new Set<number>();
  for (const part of text.split(',')) {
    const range = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part);
    if (!range) return undefined;
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (from < min || to > max || from > to) return undefined;
    for (let number = from; number <= to; number++) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
};

const stepIn = (hours: string | undefined): number | undefined => {
  if (hours === '*') return 1;
  const step = numberIn(/^\*\/(\d{1,2})$/.exec(hours ?? '')?.[1], 23);
  return hourSteps.find((known) => known === step);
};

/** Parses weekdays: Sunday may be 0 or 7. */
const weekdaysIn = (text: string): number[] | undefined => {
  const days = numbersIn(text, 0, 7);
  return days && [...new Set(days.map((day) => day % 7))].sort((one, other) => one - other);
};

export const readCron = (cron: string): CronPattern | undefined => {
  const [minutes, hours, day = '', month, weekday = '', ...rest] = cron.trim().split(/\s+/);
  const minute = numberIn(minutes, 59);
  if (minute === undefined || month !== '*' || rest.length > 0) return undefined;
  const every = day === '*' && weekday === '*' ? stepIn(hours) : undefined;
  if (every !== undefined) return { kind: 'hours', every, minute };
  const hour = numberIn(hours, 23);
  if (hour === undefined) return undefined;
  if (day === '*' && weekday === '*') return { kind: 'daily', hour, minute };
  const weekdays = day === '*' ? weekdaysIn(weekday) : undefined;
  if (weekdays) return { kind: 'weekly', days: weekdays, hour, minute };
  const monthdays = weekday === '*' ? numbersIn(day, 1, 31) : undefined;
  return monthdays && { kind: 'monthly', days: monthdays, hour, minute };
};

export const writeCron = (pattern: CronPattern): string => {
  const { kind, minute } = pattern;
  if (kind === 'hours') return `${minute} ${pattern.every === 1 ? '*' : `*/${pattern.every}`} * * *`;
  const { hour } = pattern;
  if (kind === 'daily') return `${minute} ${hour} * * *`;
  const days = pattern.days.join(',');
  return kind === 'weekly' ? `${minute} ${hour} * * ${days}` : `${minute} ${hour} ${days} * *`;
};

/** A pattern of another kind that keeps the time of day, if there was one. */
export const convertCron = (kind: CronPattern['kind'], before: CronPattern | undefined): CronPattern => {
  const minute = before?.minute ?? 0;
  const hour = before && 'hour' in before ? before.hour : 2;
  if (kind === 'hours') return { kind, every: 6, minute };
  if (kind === 'daily') return { kind, hour, minute };
  return { kind, days: [1], hour, minute };
};

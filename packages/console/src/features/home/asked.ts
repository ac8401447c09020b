/** Whose fleet, and in which zone a day is a day. */
export type Asked = { timezone: string; tenancyId?: string | undefined };

const UTC = 'UTC';

/** The operator's zone by its name; where the browser has none that is known to others, UTC. */
export const operatorZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return timeZone || UTC;
  } catch {
    return UTC;
  }
};

/** "Asia/Shanghai (UTC+8)". */
export const zoneWords = (timeZone: string): string => {
  if (timeZone === UTC) return UTC;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', UTC);
  return offset === undefined ? timeZone : `${timeZone} (${offset})`;
};

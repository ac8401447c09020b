/** Whose fleet, and in which zone a day is a day. */
export type Asked = { timezone: string; tenancyId?: string | undefined };

const UTC = 'UTC';

/** "Asia/Shanghai (UTC+8)". */
export const zoneWords = (timeZone: string): string => {
  if (timeZone === UTC) return UTC;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', UTC);
  return offset === undefined ? timeZone : `${timeZone} (${offset})`;
};

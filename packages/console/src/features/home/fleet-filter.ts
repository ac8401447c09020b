/** The tenant whose fleet is shown (all without one), and the time zone of its days. */
export type FleetFilter = { timezone: string; tenancyId?: string | undefined };

const UTC = 'UTC';

/** "Asia/Shanghai (UTC+8)". */
export const timeZoneText = (timeZone: string): string => {
  if (timeZone === UTC) return UTC;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', UTC);
  return offset === undefined ? timeZone : `${timeZone} (${offset})`;
};

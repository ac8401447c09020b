const DAY_MS = 86_400_000;
/** From how long before its end on a key is warned about. */
export const WARN_DAYS = 14;

export const daysLeft = (expireTime: string, now: number): number =>
  Math.floor((Date.parse(expireTime) - now) / DAY_MS);

/** Days, or what is no number of days. */
export const expiryChoices = ['30', '90', '365', 'never', 'custom'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

/** '' for a key that does not end by itself. */
export const expireTimeOf = (choice: ExpiryChoice, custom: string, now: number): string => {
  if (choice === 'never') return '';
  return choice === 'custom' ? custom : new Date(now + Number(choice) * DAY_MS).toISOString();
};

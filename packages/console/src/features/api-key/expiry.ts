const DAY_MS = 86_400_000;
/** A key that expires in fewer days is highlighted. */
export const WARN_DAYS = 14;

export const daysLeft = (expireTime: string, now: number): number =>
  Math.floor((Date.parse(expireTime) - now) / DAY_MS);

/** A number of days, or a choice without one. */
export const expiryChoices = ['30', '90', '365', 'never', 'custom'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

/** Empty for a key that never expires. */
export const expireTimeOf = (choice: ExpiryChoice, custom: string, now: number): string => {
  if (choice === 'never') return '';
  return choice === 'custom' ? custom : new Date(now + Number(choice) * DAY_MS).toISOString();
};

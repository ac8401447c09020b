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

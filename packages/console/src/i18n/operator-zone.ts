const UTC = 'UTC';

/** IANA name of the operator's time zone, or UTC if the browser has no valid one. */
export const operatorZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return timeZone || UTC;
  } catch {
    return UTC;
  }
};

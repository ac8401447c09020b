export const iso = (epochMs: number): string => new Date(epochMs).toISOString();
/** '' for 0, an event that has not occurred. */
export const isoOrBlank = (epochMs: number): string => (epochMs === 0 ? '' : iso(epochMs));
export const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs));

export const iso = (epochMs: number): string => new Date(epochMs).toISOString();
/** '' for a time that has not come to pass. */
export const isoOrBlank = (epochMs: number): string => (epochMs === 0 ? '' : iso(epochMs));
export const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : iso(epochMs));

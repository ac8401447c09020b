import type { MissionFields } from './task-fields.ts';

/** What stood in the form when a rehearsal began, by the rehearsal: the real task starts from there. */
const drafts = new Map<string, MissionFields>();

export const keepDraft = (rehearsalId: string, fields: MissionFields): void => void drafts.set(rehearsalId, fields);
export const draftOf = (rehearsalId: string): MissionFields | undefined => drafts.get(rehearsalId);

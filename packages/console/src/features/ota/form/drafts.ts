import type { MissionFields } from './task-fields.ts';

/** Form values by the id of the rehearsal started from them: the form of the real task is initialized with them. */
const drafts = new Map<string, MissionFields>();

export const keepDraft = (rehearsalId: string, fields: MissionFields): void => void drafts.set(rehearsalId, fields);
export const draftOf = (rehearsalId: string): MissionFields | undefined => drafts.get(rehearsalId);

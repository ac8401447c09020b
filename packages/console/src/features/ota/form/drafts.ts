import type { TaskFields } from './task-fields.ts';

/** Form values by the id of the rehearsal started from them: the form of the real task is initialized with them. */
const drafts = new Map<string, TaskFields>();

export const saveDraft = (rehearsalId: string, fields: TaskFields): void => void drafts.set(rehearsalId, fields);
export const draftOf = (rehearsalId: string): TaskFields | undefined => drafts.get(rehearsalId);

import { otaCalls } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { conditionOf, type TaskFields, timesOf } from './task-fields.ts';

const TYPING_PAUSE_MS = 400;
export const PREVIEW_PAGE = 8;

/** Debounces a text. */
const useDebounced = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

/** Queries the current target devices of the task. Its times are validated at their fields and not sent. */
export const usePreview = (fields: Partial<TaskFields>) => {
  const condition = conditionOf(fields);
  const { taskRank } = timesOf(fields);
  const serialized = condition ? JSON.stringify({ ...condition, taskRank: taskRank || 1 }) : '';
  const settled = useDebounced(serialized);
  const [page, setPage] = useState({ of: '', pageIndex: 1 });
  const pageIndex = page.of === settled ? page.pageIndex : 1;
  const input = settled === '' ? undefined : (JSON.parse(settled) as NonNullable<typeof condition>);
  const query = useCall(
    otaCalls.previewDeviceOtaTask,
    { deviceVersionId: '', ...input, pageIndex, pageSize: PREVIEW_PAGE },
    { enabled: input !== undefined, keepPrevious: true },
  );
  return {
    /** No target devices are selected yet. */
    isIncomplete: condition === undefined,
    preview: input === undefined || condition === undefined ? undefined : query.data,
    error: query.error,
    refetch: query.refetch,
    waiting: settled !== serialized || query.isFetching,
    turn: (next: number) => setPage({ of: settled, pageIndex: next }),
  };
};

import { type CategoryRow, categoryCalls } from '@device-center/contract';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useCall } from '../api/use-call.ts';

const TYPING_PAUSE_MS = 250;
const SHOWN = 50;

const countsOf = ({ propertyCount, serviceCount, eventCount }: CategoryRow): string =>
  i18next.t('model:total', { count: propertyCount + serviceCount + eventCount });

const choiceOf = (row: CategoryRow) => ({ value: row.categoryId, label: row.categoryName, hint: countsOf(row) });

/** Categories, searched as one types; the chosen one keeps its name while others are in the list. */
export const useCategoryChoices = (categoryId: string | undefined) => {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useCall(categoryCalls.getCategoryList, { searchValue: asked, pageSize: SHOWN }, { keepPrevious: true });
  const listed = (list.data?.list ?? []).map(choiceOf);
  const known = categoryId === undefined || listed.some(({ value }) => value === categoryId);
  const one = useCall(
    categoryCalls.getCategoryDetails,
    { categoryId: categoryId ?? '' },
    { enabled: !known && list.data !== undefined, staleTime: 60_000 },
  );
  const options = !known && one.data?.categoryId === categoryId ? [choiceOf(one.data), ...listed] : listed;
  return {
    options: asked === '' ? options : listed,
    loading: list.isFetching,
    onSearch: setTyped,
    onOpen: (open: boolean) => {
      if (!open) setTyped('');
    },
  };
};

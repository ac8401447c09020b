import type { ModelFunction } from '@device-center/contract';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { matches } from '../../../../model/function-filter.ts';

const SEARCH_ABOVE = 8;

type FunctionSearchProps<Entry> = { entries: readonly Entry[]; children: (shown: readonly Entry[]) => ReactNode };

/** Adds a search field if there are many functions. */
export const FunctionSearch = <Entry extends ModelFunction>({ entries, children }: FunctionSearchProps<Entry>) => {
  const { t } = useTranslation('mockTabs');
  const [typed, setTyped] = useState('');
  if (entries.length <= SEARCH_ABOVE) return children(entries);
  const shown = entries.filter((entry) => matches(entry, 'all', typed));
  return (
    <>
      <Input
        type="search"
        className="dc-tab-search"
        allowClear
        aria-label={t('search')}
        placeholder={t('search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {shown.length === 0 ? <p className="dc-muted">{t('noMatch')}</p> : children(shown)}
    </>
  );
};

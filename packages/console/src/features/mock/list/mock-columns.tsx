import type { MockRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { timeColumns } from '../../../ui/time-columns.tsx';
import { ChildCount, MockName, MockProduct, MockStatus, RunBy } from './mock-badges.tsx';

export const useMockColumns = (): Column<MockRow>[] => {
  const { t } = useTranslation('mock');
  const operator = usePlatformOperator();
  return useMemo(
    () => [
      nameColumn({ title: t('nameAndId'), render: (mock) => <MockName mock={mock} /> }),
      statusColumn({ title: t('status'), width: 126, render: (mock) => <MockStatus mock={mock} /> }),
      { key: 'runBy', title: t('runBy'), width: 132, render: (mock) => <RunBy mock={mock} /> },
      { key: 'product', title: t('product'), width: 140, render: (mock) => <MockProduct mock={mock} /> },
      { key: 'nodeType', title: t('nodeType'), width: 110, render: ({ nodeTypeName }) => nodeTypeName },
      {
        key: 'children',
        title: t('children'),
        width: 84,
        align: 'right',
        render: (mock) => <ChildCount mock={mock} />,
      },
      { key: 'application', title: t('application'), width: 120, render: ({ applicationName }) => applicationName },
      ...tenantColumns<MockRow>(operator, { title: t('tenant'), width: 120, optional: true }),
      ...timeColumns<MockRow>(['updateTime']),
    ],
    [t, operator],
  );
};

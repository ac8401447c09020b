import type { ApiKeyRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import type { Column } from '../../ui/data-table.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { daysLeft, WARN_DAYS } from './expiry.ts';

const Expiry = ({ apiKey: { expireTime, expired } }: { apiKey: ApiKeyRow }) => {
  const { t } = useTranslation('apiKey');
  if (expireTime === null) return <span className="dc-muted">{t('noExpiry')}</span>;
  if (expired === 1) return <span className="dc-tag dc-tag-failed">{t('expired')}</span>;
  const days = daysLeft(expireTime, Date.now());
  if (days < WARN_DAYS) return <span className="dc-tag dc-tag-warning">{t('expiresSoon', { count: days })}</span>;
  return <RelativeTime value={expireTime} />;
};

export const useApiKeyColumns = (): Column<ApiKeyRow>[] => {
  const { t } = useTranslation(['apiKey', 'common']);
  const operator = usePlatformOperator();
  return useMemo(() => {
    const tenant: Column<ApiKeyRow> = {
      key: 'tenant',
      title: t('apiKey:tenant'),
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('apiKey:keyName'),
        always: true,
        mobile: true,
        render: ({ keyName, keyHint }) => (
          <div className="dc-name-cell">
            <strong>{keyName}</strong>
            <code className="dc-mono">{keyHint}…</code>
          </div>
        ),
      },
      { key: 'scope', title: t('apiKey:scope'), width: 130, render: ({ scope }) => t(`apiKey:scope_${scope}`) },
      {
        key: 'belongs',
        title: t('apiKey:belongs'),
        render: ({ roleName, applicationName }) => roleName || applicationName || '—',
      },
      ...(operator ? [tenant] : []),
      { key: 'creator', title: t('apiKey:creator'), width: 110, render: ({ creator }) => creator },
      {
        key: 'lastUsed',
        title: t('apiKey:lastUsed'),
        width: 130,
        render: ({ lastUsedTime, lastUsedIp }) => (
          <div className="dc-name-cell">
            <RelativeTime value={lastUsedTime} />
            {lastUsedIp !== '' && <code className="dc-mono">{lastUsedIp}</code>}
          </div>
        ),
      },
      {
        key: 'expires',
        title: t('apiKey:expires'),
        width: 110,
        mobile: true,
        always: true,
        render: (apiKey) => <Expiry apiKey={apiKey} />,
      },
      {
        key: 'createTime',
        title: t('common:createTime'),
        width: 120,
        sortField: 1,
        render: ({ createTime }) => <RelativeTime value={createTime} />,
      },
    ];
  }, [t, operator]);
};

import type { AuditRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { absoluteText, RelativeTime } from '../../ui/relative-time.tsx';
import { actionText } from './audit-texts.ts';

type TenantName = (tenancyId: string) => string;

/** `tenantName` is set for platform operators, who see all tenants. */
export const useAuditColumns = (
  tenantName: TenantName | undefined,
  onOpen: (entry: AuditRow) => void,
): Column<AuditRow>[] => {
  const { t } = useTranslation('audit');
  return useMemo(
    () => [
      {
        key: 'action',
        title: t('action'),
        always: true,
        mobile: true,
        render: (entry) => (
          <div className="dc-name-cell">
            <button
              type="button"
              className="dc-open-button"
              aria-label={t('open', { action: actionText(entry.action), time: absoluteText(entry.createTime) })}
              onClick={() => onOpen(entry)}
            >
              {actionText(entry.action)}
            </button>
            <code className="dc-mono">{entry.action}</code>
          </div>
        ),
      },
      {
        key: 'target',
        title: t('target'),
        render: ({ targetId, targetName }) =>
          targetId === '' && targetName === '' ? (
            <span className="dc-muted">{t('noTarget')}</span>
          ) : (
            <div className="dc-name-cell">
              <span>{targetName}</span>
              {targetId !== '' && <CopyId value={targetId} label={targetName} />}
            </div>
          ),
      },
      {
        key: 'who',
        title: t('who'),
        width: 150,
        mobile: true,
        render: ({ username }) => username || <span className="dc-muted">{t('system')}</span>,
      },
      ...(tenantName === undefined
        ? []
        : [
            {
              key: 'tenant',
              title: t('tenant'),
              width: 150,
              render: ({ tenancyId }: AuditRow) => tenantName(tenancyId),
            },
          ]),
      { key: 'ip', title: t('ip'), width: 150, render: ({ ip }) => <code className="dc-mono">{ip}</code> },
      {
        key: 'time',
        title: t('time'),
        width: 190,
        mobile: true,
        sortField: 1,
        render: ({ createTime }) => (
          <div className="dc-audit-time">
            <RelativeTime value={createTime} />
            <span className="dc-time dc-muted dc-small">{absoluteText(createTime)}</span>
          </div>
        ),
      },
    ],
    [t, tenantName, onOpen],
  );
};

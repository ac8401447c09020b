import type { AuditRow } from '@device-center/contract';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { CopyButton, CopyId } from '../../ui/copy-id.tsx';
import { absoluteText, RelativeTime } from '../../ui/relative-time.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { actionText } from './audit-texts.ts';
import { differencesOf } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';

const DRAWER_WIDTH = 560;

const AuditDetail = ({ entry, tenant }: { entry: AuditRow; tenant: string | undefined }) => {
  const { t } = useTranslation(['audit', 'common']);
  const raw = JSON.stringify({ before: entry.before, after: entry.after }, null, 2);
  return (
    <div className="dc-audit-detail">
      <KeyValue
        items={[
          {
            label: t('audit:time'),
            value: (
              <>
                <span className="dc-time">{absoluteText(entry.createTime)}</span>{' '}
                <span className="dc-muted">
                  (<RelativeTime value={entry.createTime} />)
                </span>
              </>
            ),
          },
          { label: t('audit:who'), value: entry.username || t('audit:system') },
          { label: t('audit:action'), value: <CopyId value={entry.action} label={t('audit:action')} /> },
          {
            label: t('audit:target'),
            value: (
              <>
                {entry.targetName}{' '}
                {entry.targetId !== '' && <CopyId value={entry.targetId} label={t('audit:target')} />}
              </>
            ),
          },
          ...(tenant === undefined ? [] : [{ label: t('audit:tenant'), value: tenant }]),
          { label: t('audit:ip'), value: entry.ip === '' ? '' : <CopyId value={entry.ip} label={t('audit:ip')} /> },
          {
            label: t('common:requestId'),
            value: entry.requestId === '' ? '' : <CopyId value={entry.requestId} label={t('common:requestId')} />,
          },
        ]}
      />
      <section>
        <h2>{t('audit:differences')}</h2>
        <DifferenceList differences={differencesOf(entry.before, entry.after)} />
        {raw.includes('***') && <p className="dc-muted dc-small">{t('audit:masked')}</p>}
      </section>
      <details>
        <summary>{t('audit:rawJson')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
        <section className="dc-panel" tabIndex={0} aria-label={t('audit:rawJson')}>
          {raw}
        </section>
        <CopyButton value={raw}>{t('audit:copyJson')}</CopyButton>
      </details>
    </div>
  );
};

type AuditDrawerProps = { entry: AuditRow | undefined; tenant: string | undefined; onClose: () => void };

export const AuditDrawer = ({ entry, tenant, onClose }: AuditDrawerProps) => (
  <Drawer
    open={entry !== undefined}
    onClose={onClose}
    size={DRAWER_WIDTH}
    title={entry === undefined ? '' : actionText(entry.action)}
    destroyOnHidden
  >
    {entry !== undefined && <AuditDetail entry={entry} tenant={tenant} />}
  </Drawer>
);

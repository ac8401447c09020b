import { type ZoneDetails, ZoneType } from '@device-center/contract';
import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneFormPath, zoneListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPage } from '../../../ui/detail-page.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { EmptyState, KeyValue } from '../../../ui/states.tsx';
import { DeleteZone } from '../delete-zone.tsx';
import { expiringCertificates } from '../expiry.ts';
import { useMayChangeZones } from '../zone-access.ts';
import { ZoneStatus } from '../zone-status.tsx';
import { ZoneTime } from '../zone-time.tsx';
import { ConnectCard } from './connect-card.tsx';
import { MoveDevices } from './move-devices.tsx';
import { NodeCard } from './node-card.tsx';

type ZoneProps = { zone: ZoneDetails };

const Notices = ({ zone }: ZoneProps) => {
  const { t } = useTranslation('zone');
  return (
    <>
      {zone.status === 0 && (
        <Alert
          className="dc-alert"
          type="warning"
          showIcon
          title={zone.deviceCount > 0 ? t('disabledWithDevices', { count: zone.deviceCount }) : t('disabledNotice')}
        />
      )}
      {expiringCertificates(zone.nodes, Date.now()).map(({ node, validTo, over }) => (
        <Alert
          key={node.nodeId}
          className="dc-alert"
          type={over ? 'error' : 'warning'}
          showIcon
          title={t(over ? 'certificateOver' : 'certificateNotice', {
            number: node.index + 1,
            time: absoluteText(validTo),
          })}
        />
      ))}
    </>
  );
};

const SyncedTenants = ({ zone: { syncAll, syncTenancies } }: ZoneProps) => {
  const { t } = useTranslation(['zone', 'common']);
  if (syncAll === 1) return t('zone:syncTenantsAll');
  const names = syncTenancies.map(({ tenancyName }) => tenancyName);
  return names.length === 0 ? t('zone:syncTenantsNone') : names.join(t('common:listSeparator'));
};

const Facts = ({ zone }: ZoneProps) => {
  const { t } = useTranslation(['zone', 'common']);
  const inner = zone.zoneType === ZoneType.inner;
  return (
    <>
      <h2>{t('zone:facts')}</h2>
      <KeyValue
        items={[
          { label: t('zone:zoneType'), value: t(`zone:type_${zone.zoneType}`) },
          { label: t('zone:status'), value: <ZoneStatus zone={zone} /> },
          { label: t('zone:address'), value: <code className="dc-mono">{zone.address || '—'}</code> },
          { label: t('zone:routeKey'), value: <code className="dc-mono">{zone.routeKey}</code> },
          { label: t('zone:isSyncModel'), value: t(zone.isSyncModel === 1 ? 'zone:yes' : 'zone:no') },
          ...(zone.nodes.length > 0 ? [{ label: t('zone:syncTenants'), value: <SyncedTenants zone={zone} /> }] : []),
          ...(inner ? [{ label: t('zone:devices'), value: <MoveDevices zone={zone} /> }] : []),
          { label: t('common:createTime'), value: <ZoneTime value={zone.createTime} /> },
          { label: t('common:updateTime'), value: <ZoneTime value={zone.updateTime} /> },
        ]}
      />
    </>
  );
};

const Nodes = ({ zone, onEdit }: ZoneProps & { onEdit?: () => void }) => {
  const { t } = useTranslation('zone');
  if (zone.nodes.length > 0) return zone.nodes.map((node) => <NodeCard key={node.nodeId} zone={zone} node={node} />);
  return (
    <section className="dc-card">
      <EmptyState
        title={t('noNodesTitle')}
        text={t('noNodesText')}
        action={onEdit && <Button onClick={onEdit}>{t('addNodes')}</Button>}
      />
    </section>
  );
};

export const ZoneView = ({ zone }: ZoneProps) => {
  const { t } = useTranslation(['zone', 'common']);
  const navigate = useNavigate();
  const mayWrite = useMayChangeZones();
  const [deleting, setDeleting] = useState(false);
  const edit = () => void navigate({ to: zoneFormPath, search: { id: zone.id } });
  return (
    <DetailPage
      title={zone.zoneName}
      id={String(zone.id)}
      status={zone.builtin === 1 && <span className="dc-tag">{t('zone:builtin')}</span>}
      backTo={zoneListPath}
      facts={<Facts zone={zone} />}
      actions={
        mayWrite && (
          <>
            {zone.builtin === 0 && (
              <Button danger onClick={() => setDeleting(true)}>
                {t('common:delete')}
              </Button>
            )}
            <Button type="primary" onClick={edit}>
              {t('common:edit')}
            </Button>
          </>
        )
      }
    >
      <Notices zone={zone} />
      <div className="dc-zone-cards">
        <ConnectCard zone={zone} />
        <Nodes zone={zone} {...(mayWrite ? { onEdit: edit } : {})} />
      </div>
      {deleting && (
        <DeleteZone
          zone={zone}
          leaves
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: zoneListPath })}
        />
      )}
    </DetailPage>
  );
};

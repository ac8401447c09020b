import { type SyncCountRow, ZONE_ID_MAX } from '@device-center/contract';
import { Alert, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { DetailPage, LoadingCard } from '../../../ui/detail-page.tsx';
import { useListSearch, useRouteParams } from '../../../ui/list-search.ts';
import { EmptyState, ErrorCard } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import '../../../ui/styles/reading.css';
import { Link, samePage, useNavigate } from '../../../ui/routing.ts';
import { SendDialog, type SendRequest } from '../send/send-dialog.tsx';
import { type DataType, dataTypes } from '../sync-badges.tsx';
import '../sync.css';
import { syncListPath } from '../../../paths.ts';
import { recordListSearch } from '../sync-search.ts';
import { useSyncZone } from '../sync-zone.ts';
import { Progress } from './progress.tsx';
import { RecordsTable } from './records-table.tsx';

/** An invalid id becomes the highest one, which no zone has, so that the page shows "no target". */
const params = z.object({
  zoneId: z.coerce.number<number>().int().min(1).max(ZONE_ID_MAX).catch(ZONE_ID_MAX),
  zoneName: z.string(),
  status: z.coerce
    .number<number>()
    .pipe(z.literal([0, 1]))
    .catch(1),
});

const Records = ({ zone }: { zone: SyncCountRow }) => {
  const { t } = useTranslation('sync');
  const navigate = useNavigate();
  const list = useListSearch(recordListSearch);
  const [ask, setAsk] = useState<SendRequest>();
  const { dataType } = list.search;
  // The filters of one tab do not apply to another.
  const open = (key: string) =>
    void navigate({
      to: samePage(recordListSearch),
      search: { dataType: Number(key) as DataType },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      {zone.status === 0 && (
        <Alert className="dc-alert" type="warning" showIcon title={t('disabledNotice', { name: zone.zoneName })} />
      )}
      {zone.tenants === 0 && <Alert className="dc-alert" type="warning" showIcon title={t('noTenants')} />}
      <Tabs
        activeKey={String(dataType)}
        onChange={open}
        items={dataTypes.map((type) => ({
          key: String(type),
          label: t(`type_${type}`),
          // Only the visible tab reads the search parameters.
          children: type === dataType && (
            <>
              <Progress zone={zone} list={list} onAsk={setAsk} />
              <RecordsTable key={type} zone={zone} list={list} onAsk={setAsk} />
            </>
          ),
        }))}
      />
      {ask && <SendDialog ask={ask} onClose={() => setAsk(undefined)} />}
    </>
  );
};

const SyncZonePage = () => {
  const { t } = useTranslation(['sync', 'common']);
  const routeParams = useRouteParams(params);
  const { query, zone } = useSyncZone(routeParams.zoneId);
  // The values of the URL may be outdated; they are shown until the hub has responded.
  const { zoneId, zoneName, status } = zone ?? routeParams;
  const content = () => {
    if (zone) return <Records zone={zone} />;
    if (query.error && !query.data) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
    if (!query.data) return <LoadingCard />;
    return (
      <section className="dc-card">
        <EmptyState
          title={t('sync:noTargetTitle')}
          text={t('sync:noTargetText')}
          action={<Link to={syncListPath}>{t('common:back')}</Link>}
        />
      </section>
    );
  };
  return (
    <div className="dc-sync-page">
      <DetailPage
        title={zoneName}
        id={String(zoneId)}
        backTo={syncListPath}
        status={
          <StatusDot tone={status === 1 ? 'online' : 'offline'}>
            {t(status === 1 ? 'common:enabled' : 'common:disabled')}
          </StatusDot>
        }
      >
        {content()}
      </DetailPage>
    </div>
  );
};

export default SyncZonePage;

import { type ConnectRow, type DeviceDetails, LATEST_SHOWN, recordCalls } from '@device-center/contract';
import { Pagination } from 'antd';
import { PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { SegmentedFilter } from '../../../ui/filter-bar.tsx';
import { FilterChipsProvider } from '../../../ui/filter-chips.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { TableBody } from '../../../ui/table-states.tsx';
import { remainingTimeText } from '../list/kicked.ts';
import { useLiveEvents } from './device-live.tsx';
import { detailText, explainReason } from './reason-texts.ts';
import { type DetailList, tabList } from './tab-list.ts';

const tones: Record<ConnectRow['status'], Tone> = { 1: 'online', 2: 'offline', 3: 'failed' };
const phases = new Set(['login', 'connect', 'message']);

const isPhase = (text: string): text is 'login' | 'connect' | 'message' => phases.has(text);

/** Phase, address, transport and duration of a connection. */
const useFacts = ({ place, ip, transport, durationMs }: ConnectRow): string[] => {
  const { t } = useTranslation('deviceDetail');
  return [
    isPhase(place) ? t(`place_${place}`) : place,
    ip,
    transport,
    durationMs > 0 ? t('lasted', { time: remainingTimeText(durationMs) }) : '',
  ].filter((text) => text !== '');
};

/** `latest`: the remedy is shown for the latest connection only. */
const Connection = ({ record, latest }: { record: ConnectRow; latest: boolean }) => {
  const { t } = useTranslation('deviceDetail');
  const facts = useFacts(record);
  const { text, remedy } = record.reason === '' ? { text: '', remedy: '' } : explainReason(record.reason);
  return (
    <li data-status={record.status}>
      <div className="dc-connection-head">
        <StatusDot tone={tones[record.status]}>
          <strong>{t(`status_${record.status}`)}</strong>
        </StatusDot>
        <time className="dc-time" dateTime={record.connectTime}>
          {absoluteText(record.connectTime)}
        </time>
        {facts.length > 0 && <span className="dc-muted">{facts.join(' · ')}</span>}
      </div>
      {text !== '' && (
        <dl className="dc-connection-reason">
          <div>
            <dt>{t('reason')}</dt>
            <dd>
              {text}
              {record.detail !== '' && <code className="dc-mono"> {detailText(record.detail)}</code>}
            </dd>
          </div>
          {latest && remedy !== '' && (
            <div>
              <dt>{t('remedy')}</dt>
              <dd>{remedy}</dd>
            </div>
          )}
        </dl>
      )}
    </li>
  );
};

type ConnectionsTabProps = { device: DeviceDetails; list: DetailList };

/** The connection events of the device with their reasons, including rejected connections. */
const ConnectionsTab = ({ device: { deviceId }, list }: ConnectionsTabProps) => {
  const { t } = useTranslation(['deviceDetail', 'common']);
  const own = tabList(list, ['status']);
  const { pageIndex, pageSize, status } = list.search;
  const query = useCall(
    recordCalls.deviceConnectRecord,
    { deviceId, pageIndex, pageSize, status },
    { keepPrevious: true },
  );
  useLiveEvents((event) => {
    if (event.kind === 'presence') void query.refetch();
  });
  return (
    <FilterChipsProvider>
      <section className="dc-card dc-table-card" aria-busy={query.isFetching && query.data === undefined}>
        <div className="dc-table-head">
          <SegmentedFilter
            label={t('deviceDetail:connectionStatus')}
            value={status}
            options={([1, 2, 3] as const).map((value) => ({ value, label: t(`deviceDetail:status_${value}`) }))}
            onChange={(chosen) => list.filter({ status: chosen })}
          />
          {(query.data?.total ?? 0) >= LATEST_SHOWN && <span className="dc-muted">{t('deviceDetail:latest')}</span>}
        </div>
        <TableBody
          query={query}
          list={own}
          columnCount={3}
          empty={
            <EmptyState
              icon={<PlugZap size={22} />}
              title={t('deviceDetail:connectionsEmpty')}
              text={t('deviceDetail:connectionsEmptyText')}
            />
          }
        >
          {(page) => (
            <>
              <ol className="dc-timeline" aria-label={t('deviceDetail:timeline')}>
                {page.list.map((record, index) => (
                  <Connection key={record.id} record={record} latest={page.pageIndex === 1 && index === 0} />
                ))}
              </ol>
              <Pagination
                className="dc-timeline-pages"
                current={page.pageIndex}
                pageSize={page.pageSize}
                total={page.total}
                showSizeChanger={false}
                showTotal={(total, [from, to]) => t('common:pageTotal', { total, from, to })}
                onChange={(next) => list.turn({ pageIndex: next })}
              />
            </>
          )}
        </TableBody>
      </section>
    </FilterChipsProvider>
  );
};

export default ConnectionsTab;

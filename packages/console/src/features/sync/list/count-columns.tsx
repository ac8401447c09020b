import { type SyncCountRow, SyncStatus } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn } from '../../../ui/list-columns.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { OneKeyButton } from '../one-key-button.tsx';
import type { SendRequest } from '../send/send-dialog.tsx';
import { type DataType, dataTypes, SyncBar } from '../sync-badges.tsx';
import { syncZoneOf } from '../sync-search.ts';
import { countsOf } from '../sync-zone.ts';

type Ask = (ask: SendRequest) => void;
type ZoneProps = { zone: SyncCountRow };

const ZoneName = ({ zone }: ZoneProps) => {
  const { t } = useTranslation('sync');
  return (
    <span className="dc-marked-name">
      <Link to={syncZoneOf(zone)}>{zone.zoneName}</Link>
      {zone.isSyncModel === 1 && <span className="dc-tag">{t('automaticSync')}</span>}
    </span>
  );
};

const ZoneState = ({ zone: { status } }: ZoneProps) => {
  const { t } = useTranslation();
  return <StatusDot tone={status === 1 ? 'online' : 'offline'}>{t(status === 1 ? 'enabled' : 'disabled')}</StatusDot>;
};

type MeterProps = ZoneProps & { dataType: DataType; onAsk: Ask; titled?: boolean };

/** Sync progress of one data type; the failed count links to the failed records. */
const Meter = ({ zone, dataType, onAsk, titled = false }: MeterProps) => {
  const { t } = useTranslation('sync');
  const counts = countsOf(zone, dataType);
  const { total, success, fail, sending, syncTime } = counts;
  const type = t(`type_${dataType}`);
  return (
    <div className="dc-sync-meter">
      {titled && <h3>{type}</h3>}
      <SyncBar counts={counts} />
      <p className="dc-sync-numbers">
        <span>{t('totalOf', { count: total })}</span>
        <span>{t('successOf', { count: success })}</span>
        {fail === 0 ? (
          <span>{t('failOf', { count: fail })}</span>
        ) : (
          <Link
            to={syncZoneOf(zone)}
            search={{ dataType, syncStatus: SyncStatus.failed }}
            aria-label={t('failedOf', { name: zone.zoneName, type, count: fail })}
          >
            {t('failOf', { count: fail })}
          </Link>
        )}
        {sending > 0 && <span>{t('sendingOf', { count: sending })}</span>}
      </p>
      <span className="dc-muted">
        {t('lastSync')} <RelativeTime value={syncTime} />
      </span>
      <OneKeyButton zone={zone} dataType={dataType} onAsk={onAsk} />
    </div>
  );
};

export const useCountColumns = (onAsk: Ask): Column<SyncCountRow>[] => {
  const { t } = useTranslation('sync');
  return useMemo(
    () => [
      nameColumn({ title: t('zone'), render: (zone) => <ZoneName zone={zone} /> }),
      statusColumn({ title: t('status'), width: 110, render: (zone) => <ZoneState zone={zone} /> }),
      ...dataTypes.map((dataType) => ({
        key: `type${dataType}`,
        title: t(`type_${dataType}`),
        width: 290,
        always: true,
        render: (zone: SyncCountRow) => <Meter zone={zone} dataType={dataType} onAsk={onAsk} />,
      })),
    ],
    [t, onAsk],
  );
};

/** Card for phones, where the columns would not fit. */
export const CountCard = ({ zone, onAsk }: ZoneProps & { onAsk: Ask }) => (
  <div className="dc-sync-card">
    <header>
      <ZoneName zone={zone} />
      <ZoneState zone={zone} />
    </header>
    {dataTypes.map((dataType) => (
      <Meter key={dataType} zone={zone} dataType={dataType} onAsk={onAsk} titled />
    ))}
  </div>
);

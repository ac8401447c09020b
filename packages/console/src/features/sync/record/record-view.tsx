import { type SyncCountRow, type SyncRecordDetails, SyncStatus } from '@device-center/contract';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { devicePath, productPath, syncListPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPage } from '../../../ui/detail-page.tsx';
import { absoluteText, RelativeTime } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { KeyValue } from '../../../ui/states.tsx';
import { useSend } from '../send/send-dialog.tsx';
import { OriginBadge, SyncState } from '../sync-badges.tsx';
import { syncZoneOf } from '../sync-search.ts';
import { useMaySync, useSyncZone } from '../sync-zone.ts';
import { Attempts, EffectCard, SentAndPresent } from './record-parts.tsx';

type ViewProps = { record: SyncRecordDetails; zone: SyncCountRow | undefined };

const Facts = ({ record, zone }: ViewProps) => {
  const { t } = useTranslation('sync');
  const mayProducts = useCan('product:read');
  const mayDevices = useCan('device:read');
  const { productId, productName, deviceId, deviceName, origin, nextTime } = record;
  const product = mayProducts ? <Link to={productPath(productId)}>{productName}</Link> : productName;
  const device = mayDevices ? <Link to={devicePath(deviceId)}>{deviceName || deviceId}</Link> : deviceName || deviceId;
  const tried = nextTime !== null && zone?.status === 1;
  return (
    <>
      <h2>{t('facts')}</h2>
      <KeyValue
        items={[
          {
            label: t('zone'),
            value: zone ? (
              <Link to={syncZoneOf(zone)} search={{ dataType: record.dataType }}>
                {record.zoneName}
              </Link>
            ) : (
              record.zoneName
            ),
          },
          { label: t('syncStatus'), value: <SyncState status={record.syncStatus} /> },
          ...(record.reason === '' ? [] : [{ label: t('reason'), value: record.reason }]),
          { label: t('attempts'), value: String(record.attempts) },
          {
            label: t('nextTime'),
            value: tried ? (
              <>
                <span className="dc-time">{absoluteText(nextTime)}</span> <RelativeTime value={nextTime} />
              </>
            ) : (
              ''
            ),
          },
          { label: t('syncTime'), value: <RelativeTime value={record.syncTime} /> },
          { label: t('product'), value: product },
          ...(deviceId === '' ? [] : [{ label: t('device'), value: device }]),
          { label: t('tenant'), value: record.tenancyName },
          { label: t('origin'), value: origin === '' ? t('originHere') : origin },
        ]}
      />
    </>
  );
};

const SendButton = ({ record, zone }: ViewProps) => {
  const { t } = useTranslation('sync');
  const { busy, send } = useSend();
  const { dataType, syncStatus } = record;
  const blocked = () => {
    if (zone?.status === 0) return t('blockedDisabled');
    return syncStatus === SyncStatus.synchronizing ? t('blockedSending') : undefined;
  };
  const reason = blocked();
  return (
    <Button
      type="primary"
      loading={busy}
      disabled={reason !== undefined || !zone}
      title={reason}
      aria-label={reason === undefined ? undefined : `${t('sendNow')} (${reason})`}
      // A failure is announced like that of every call.
      onClick={() => zone && void send({ zone, dataType, records: [record] }).catch(() => undefined)}
    >
      {t('sendNow')}
    </Button>
  );
};

export const RecordView = ({ record }: { record: SyncRecordDetails }) => {
  const { t } = useTranslation('sync');
  const { zone } = useSyncZone(record.zoneId);
  const maySync = useMaySync();
  const ofDevice = record.deviceId !== '';
  return (
    <DetailPage
      title={ofDevice ? record.deviceName || record.deviceId : record.productName}
      id={record.deviceId || record.productId}
      status={
        <>
          <span className="dc-tag">{t(`type_${record.dataType}`)}</span> <SyncState status={record.syncStatus} />{' '}
          <OriginBadge record={record} />
        </>
      }
      backTo={zone ? syncZoneOf(zone) : syncListPath}
      actions={maySync && <SendButton record={record} zone={zone} />}
      facts={<Facts record={record} zone={zone} />}
    >
      {zone?.status === 0 && (
        <Alert className="dc-alert" type="warning" showIcon title={t('disabledNotice', { name: zone.zoneName })} />
      )}
      <div className="dc-sync-record">
        <EffectCard record={record} />
        <SentAndPresent record={record} />
        <Attempts record={record} />
      </div>
    </DetailPage>
  );
};

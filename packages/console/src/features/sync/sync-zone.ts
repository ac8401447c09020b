import { PAGE_SIZE_MAX, type SyncCountRow, type SyncCounts, syncCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import type { DataType } from './sync-badges.tsx';

const IDLE_MS = 10_000;
const BUSY_MS = 2_000;

/** Polling interval, shorter while records are being sent. */
export const refreshInterval = (busy: boolean): number => (busy ? BUSY_MS : IDLE_MS);

const isBusy = ({ model, data }: SyncCountRow): boolean => model.sending + data.sending > 0;
export const refreshIntervalOf = (zones: readonly SyncCountRow[] = []): number => refreshInterval(zones.some(isBusy));

/** The zone as a sync target. Reads all zones, because there are few. */
export const useSyncZone = (zoneId: number) => {
  const own = (zones: readonly SyncCountRow[] = []) => zones.filter((row) => row.zoneId === zoneId);
  const query = useCall(
    syncCalls.querySyncRecordCount,
    { pageSize: PAGE_SIZE_MAX },
    { refreshEvery: (last) => refreshIntervalOf(own(last?.list)) },
  );
  const [zone] = own(query.data?.list);
  return { query, zone };
};

export const useMaySync = (): boolean => {
  const operator = usePlatformOperator();
  const mayWrite = useCan('sync:write');
  return operator && mayWrite;
};

export const countsOf = (zone: Pick<SyncCountRow, 'model' | 'data'>, dataType: DataType): SyncCounts =>
  dataType === 1 ? zone.model : zone.data;

/** Reason why a type cannot be sent now; undefined if it can. */
export const useBlocked = (zone: SyncCountRow, dataType: DataType): string | undefined => {
  const { t } = useTranslation('sync');
  const { sending } = countsOf(zone, dataType);
  if (zone.status === 0) return t('blockedDisabled');
  // Sending is useful even if everything is synchronised: the hub checks whether the other platform still has the data.
  return sending > 0 ? t('blockedSending') : undefined;
};

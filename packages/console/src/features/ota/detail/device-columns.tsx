import type { UpgradeRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { devicePath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn } from '../../../ui/list-columns.tsx';
import { NameCell } from '../../../ui/name-cell.tsx';
import { PresenceDot } from '../../../ui/presence-dot.tsx';
import { Link } from '../../../ui/routing.ts';
import { UpgradeReason, UpgradeState, UpgradeTimes, Versions } from '../upgrade-badges.tsx';

/** A deleted device has no name and no page. */
const DeviceName = ({ upgrade: { deviceId, deviceName } }: { upgrade: UpgradeRow }) => {
  const { t } = useTranslation('otaDetail');
  return (
    <NameCell id={deviceId} name={deviceName || deviceId}>
      {deviceName === '' ? <span>{t('deletedDevice')}</span> : <Link to={devicePath(deviceId)}>{deviceName}</Link>}
    </NameCell>
  );
};

export const useDeviceColumns = (): Column<UpgradeRow>[] => {
  const { t } = useTranslation(['otaDetail', 'ota']);
  return useMemo(
    () => [
      nameColumn({ title: t('ota:device'), render: (upgrade) => <DeviceName upgrade={upgrade} /> }),
      {
        key: 'online',
        title: t('otaDetail:presence'),
        width: 96,
        render: ({ online }) => <PresenceDot online={online === 1}>{t(`ota:online_${online}`)}</PresenceDot>,
      },
      { key: 'versions', title: t('ota:versions'), width: 170, render: (upgrade) => <Versions upgrade={upgrade} /> },
      {
        key: 'nowRuns',
        title: t('ota:nowRuns'),
        width: 100,
        optional: true,
        render: ({ versionNumber }) => <span className="dc-mono">{versionNumber || '—'}</span>,
      },
      statusColumn({ title: t('ota:status'), width: 170, render: (upgrade) => <UpgradeState upgrade={upgrade} /> }),
      { key: 'stage', title: t('otaDetail:stage'), width: 76, optional: true, render: ({ stage }) => stage || '—' },
      {
        key: 'attempt',
        title: t('otaDetail:attempts'),
        width: 88,
        optional: true,
        render: ({ attempt }) => <span className="dc-number">{attempt}</span>,
      },
      { key: 'reason', title: t('ota:reason'), width: 210, render: (upgrade) => <UpgradeReason upgrade={upgrade} /> },
      { key: 'times', title: t('ota:times'), width: 200, render: (upgrade) => <UpgradeTimes upgrade={upgrade} /> },
    ],
    [t],
  );
};

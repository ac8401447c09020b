import { BATCH_MAX, type DeviceRow } from '@device-center/contract';
import { Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { qrPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useMobile } from '../../../ui/media.ts';
import { useNavigate } from '../../../ui/routing.ts';
import { isJobActive, useJob } from './bulk-job.ts';
import { isKicked } from './kicked.ts';
import { type PendingAction, useStartJob } from './pending-action.ts';
import { useRemoveFromBlacklist } from './use-remove-from-blacklist.tsx';

type BulkActionsProps = { devices: DeviceRow[]; onAction: (action: PendingAction) => void; done: () => void };

export const isRestricted = ({ blacklisted, kickedUntil }: DeviceRow): boolean =>
  blacklisted === 1 || isKicked(kickedUntil);

/** Only one job runs at a time: the buttons are disabled while one is active. */
export const BulkActions = ({ devices, onAction, done }: BulkActionsProps) => {
  const { t } = useTranslation(['device', 'common']);
  const mobile = useMobile();
  const navigate = useNavigate();
  const busy = isJobActive(useJob((state) => state.job));
  const start = useStartJob();
  const restricted = devices.filter(isRestricted);
  // In a mixed selection the job reports for each received device why it was rejected.
  const allReceived = devices.every(({ received }) => received === 1);
  const removeFromBlacklist = useRemoveFromBlacklist();
  const release = () => {
    const run = () => {
      start({ kind: 'release' }, restricted);
      done();
    };
    const listed = restricted.filter(({ blacklisted }) => blacklisted === 1);
    if (listed.length > 0) removeFromBlacklist(listed, run);
    else run();
  };
  const showCodes = () => {
    const [first = '', ...others] = devices.map(({ deviceId }) => deviceId);
    void navigate({ to: qrPath(first), search: { ids: [first, ...others].join() } });
  };
  const openDialog = (kind: PendingAction['kind']) => () => onAction({ kind, devices, done });
  const actions = [
    { key: 'restart', label: t('device:restart'), onClick: openDialog('restart') },
    {
      key: 'blacklist',
      label: t('device:blacklist'),
      disabled: allReceived,
      title: allReceived ? t('common:receivedText') : undefined,
      onClick: openDialog('blacklist'),
    },
    {
      key: 'release',
      label: t('device:release'),
      disabled: restricted.length === 0,
      title: t('device:releaseHint'),
      onClick: release,
    },
    {
      key: 'qr',
      label: t('device:qrMany'),
      disabled: devices.length > BATCH_MAX,
      title: t('device:qrManyHint', { max: BATCH_MAX }),
      onClick: showCodes,
    },
    { key: 'delete', label: t('common:delete'), danger: true, onClick: openDialog('delete') },
  ];
  if (mobile)
    return (
      <Dropdown trigger={['click']} placement="top" disabled={busy} menu={{ items: actions }}>
        <Button size="small">{t('common:actions')}</Button>
      </Dropdown>
    );
  return actions.map(({ key, label, ...action }) => (
    <Button key={key} size="small" {...action} disabled={busy || action.disabled === true}>
      {label}
    </Button>
  ));
};

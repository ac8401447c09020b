import { controlCalls, type DeviceRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { devicePath, qrPath } from '../../../paths.ts';
import { useReceivedReason } from '../../../ui/received-tag.tsx';
import { Link, useNavigate } from '../../../ui/routing.ts';
import { RowMenu, type RowMenuItem } from '../../../ui/row-menu.tsx';
import { isKicked } from './kicked.ts';
import type { PendingAction } from './pending-action.ts';
import { useRemoveFromBlacklist } from './use-remove-from-blacklist.tsx';

type RowActionsProps = { device: DeviceRow; onAction: (action: PendingAction) => void };

export const RowActions = ({ device, onAction }: RowActionsProps) => {
  const { t } = useTranslation(['device', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('device:write');
  const release = useCallMutation(controlCalls.kickOut, { toast: true });
  const removeFromBlacklist = useRemoveFromBlacklist();
  const { deviceId, deviceName, online, blacklisted, kickedUntil } = device;
  const openDialog = (kind: PendingAction['kind']) => () =>
    onAction({ kind, devices: [device], done: () => undefined });
  const offline = online === 2;
  const received = useReceivedReason(device);
  const lock = { disabled: received !== undefined, title: received };
  const restriction: RowMenuItem = isKicked(kickedUntil)
    ? { key: 'release', label: t('device:releaseOne'), ...lock, onClick: () => release.mutate({ deviceId, op: 0 }) }
    : { key: 'kick', label: t('device:kick'), ...lock, onClick: openDialog('kick') };
  const black: RowMenuItem =
    blacklisted === 1
      ? {
          key: 'unblack',
          label: t('device:unblack'),
          ...lock,
          onClick: () => removeFromBlacklist([device]),
        }
      : { key: 'blacklist', label: t('device:blacklist'), ...lock, onClick: openDialog('blacklist') };
  const writing: RowMenuItem[] = [
    {
      key: 'restart',
      // Spec §4: not available when offline, and the entry says why.
      label: offline ? t('device:restartUnavailable') : t('device:restart'),
      disabled: offline,
      onClick: openDialog('restart'),
    },
    restriction,
    black,
  ];
  return (
    <>
      <Link to={devicePath(deviceId)}>{t('common:view')}</Link>
      <RowMenu
        name={deviceName}
        items={[
          ...(mayWrite ? writing : []),
          { key: 'qr', label: t('device:qr'), onClick: () => void navigate({ to: qrPath(deviceId) }) },
          ...(mayWrite
            ? [{ key: 'delete', label: t('common:delete'), danger: true, onClick: openDialog('delete') }]
            : []),
        ]}
      />
    </>
  );
};

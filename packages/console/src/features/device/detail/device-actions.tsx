import { controlCalls, type DeviceDetails, deviceTakeoverCalls } from '@device-center/contract';
import { Dropdown, type MenuProps } from 'antd';
import { Ellipsis } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useCan, useSession } from '../../../api/session.ts';
import { useCallMutation } from '../../../api/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useReceivedReason } from '../../../ui/received-tag.tsx';
import { useTakeOver } from '../../../ui/use-take-over.tsx';
import type { PendingAction } from '../list/pending-action.ts';
import '../list/device-list.css';
import { deviceListPath, qrPath, realTimeLogPath } from '../../../paths.ts';
import { useOnline } from '../../../ui/media.ts';
import { useNavigate } from '../../../ui/routing.ts';
import { qrMenus } from '../list/device-search.ts';
import { isKicked } from '../list/kicked.ts';
import { useRemoveFromBlacklist } from '../list/use-remove-from-blacklist.tsx';
import { AllowReregistration } from './allow-reregistration.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { ResetSecret } from './reset-secret.tsx';

// The same dialogs as in the device list, loaded when one opens.
const DeviceDialogs = lazyPart(() => import('../list/device-dialogs.tsx'));

type DialogKind = PendingAction['kind'] | 'edit' | 'resetSecret' | 'allowReregistration';
type MenuItem = NonNullable<MenuProps['items']>[number];
/** Disables an action that is not available for a received device, with the reason. */
type Lock = { disabled?: true; title?: string };

/** Menu items to kick and to blacklist, or to undo that. */
const useRestrictions = (device: DeviceDetails, lock: Lock, openDialog: (kind: DialogKind) => void) => {
  const { deviceId, kickedUntil, blacklisted } = device;
  const { t } = useTranslation('device');
  const release = useCallMutation(controlCalls.kickOut, { toast: true });
  const removeFromBlacklist = useRemoveFromBlacklist();
  const kick: MenuItem = isKicked(kickedUntil)
    ? { key: 'release', label: t('releaseOne'), ...lock, onClick: () => release.mutate({ deviceId, op: 0 }) }
    : { key: 'kick', label: t('kick'), ...lock, onClick: () => openDialog('kick') };
  const black: MenuItem =
    blacklisted === 1
      ? { key: 'unblack', label: t('unblack'), ...lock, onClick: () => removeFromBlacklist([device]) }
      : { key: 'blacklist', label: t('blacklist'), ...lock, onClick: () => openDialog('blacklist') };
  return [kick, black];
};

/** Menu item of received devices only. */
const useTakeOverItem = ({ deviceId, deviceName, received }: DeviceDetails): MenuItem[] => {
  const { t } = useTranslation();
  const confirmTakeOver = useTakeOver();
  const { mutateAsync } = useCallMutation(deviceTakeoverCalls.takeOverDevice, { toast: true });
  const send = () => mutateAsync({ deviceId });
  const onClick = () => confirmTakeOver({ name: deviceName, text: t('takeOverDeviceText'), send });
  return received === 1 ? [{ key: 'takeOver', label: t('takeOver'), onClick }] : [];
};

type OpenDialogProps = { open: DialogKind; device: DeviceDetails; onClose: () => void };

const OpenDialog = ({ open, device, onClose }: OpenDialogProps) => {
  const navigate = useNavigate();
  if (open === 'edit') return <EditDialog device={device} onClose={onClose} />;
  if (open === 'resetSecret') return <ResetSecret device={device} onClose={onClose} />;
  if (open === 'allowReregistration') return <AllowReregistration device={device} onClose={onClose} />;
  // A deleted device has no page.
  const leaves = open === 'delete';
  const done = () => leaves && void navigate({ to: deviceListPath });
  return (
    <Suspense fallback={null}>
      <DeviceDialogs action={{ kind: open, devices: [device], done, leaves }} onClose={onClose} />
    </Suspense>
  );
};

/** The actions on the device that the user may perform. */
export const DeviceActions = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation(['deviceDetail', 'device', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('device:write');
  const mayOpenQrCodes = mayOpen(qrMenus, useSession());
  const [open, setOpen] = useState<DialogKind>();
  const received = useReceivedReason(device);
  const lock: Lock = received === undefined ? {} : { disabled: true, title: received };
  const restrictions = useRestrictions(device, lock, setOpen);
  const takeOver = useTakeOverItem(device);
  const offline = device.online !== 1;
  const reachable = useOnline();
  const toCode = () => void navigate({ to: qrPath(device.deviceId) });
  const code: MenuItem[] = mayOpenQrCodes ? [{ key: 'qr', label: t('device:qr'), onClick: toCode }] : [];
  const items: MenuItem[] = mayWrite
    ? [
        ...code,
        { type: 'divider' },
        {
          key: 'restart',
          label: t('device:restart'),
          disabled: offline || !reachable,
          ...(offline ? { title: t('deviceDetail:notOnline') } : {}),
          onClick: () => setOpen('restart'),
        },
        ...restrictions,
        { key: 'resetSecret', label: t('deviceDetail:resetSecret'), ...lock, onClick: () => setOpen('resetSecret') },
        {
          key: 'allowReregistration',
          label: t('deviceDetail:allowReregistration'),
          ...lock,
          onClick: () => setOpen('allowReregistration'),
        },
        ...takeOver,
        { key: 'delete', label: t('common:delete'), danger: true, onClick: () => setOpen('delete') },
      ]
    : code;
  return (
    <>
      {items.length > 0 && (
        <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
          <Button aria-label={`${t('common:more')}: ${device.deviceName}`} icon={<Ellipsis size={16} aria-hidden />} />
        </Dropdown>
      )}
      {mayWrite && (
        <>
          <Button {...lock} onClick={() => setOpen('edit')}>
            {t('deviceDetail:edit')}
          </Button>
          <Button type="primary" onClick={() => void navigate({ to: realTimeLogPath(device.deviceId) })}>
            {t('deviceDetail:realTimeLog')}
          </Button>
        </>
      )}
      {open !== undefined && <OpenDialog open={open} device={device} onClose={() => setOpen(undefined)} />}
    </>
  );
};

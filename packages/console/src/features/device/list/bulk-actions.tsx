import { BATCH_MAX, type DeviceRow } from '@device-center/contract';
import { useNavigate } from '@tanstack/react-router';
import { Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { qrPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useMobile } from '../../../ui/media.ts';
import { isAtWork, useJob } from './bulk-job.ts';
import { isKicked } from './kicked.ts';
import { type Ask, useStartJob } from './pending-action.ts';
import { useUnblack } from './use-unblack.tsx';

type BulkActionsProps = { devices: DeviceRow[]; onAsk: (ask: Ask) => void; done: () => void };

export const isRestricted = ({ blacklisted, kickedUntil }: DeviceRow): boolean =>
  blacklisted === 1 || isKicked(kickedUntil);

/** One job at a time: while one is under way, the next has to wait. */
export const BulkActions = ({ devices, onAsk, done }: BulkActionsProps) => {
  const { t } = useTranslation(['device', 'common']);
  const mobile = useMobile();
  const navigate = useNavigate();
  const busy = isAtWork(useJob((state) => state.job));
  const start = useStartJob();
  const restricted = devices.filter(isRestricted);
  // Of a mixed choice the others are done, and the job says of each received one why it was not.
  const allReceived = devices.every(({ received }) => received === 1);
  const unblack = useUnblack();
  const release = () => {
    const run = () => {
      start({ kind: 'release' }, restricted);
      done();
    };
    const listed = restricted.filter(({ blacklisted }) => blacklisted === 1);
    if (listed.length > 0) unblack(listed, run);
    else run();
  };
  const showCodes = () => {
    const [first = '', ...others] = devices.map(({ deviceId }) => deviceId);
    void navigate({ to: qrPath(first), search: { ids: [first, ...others].join() } as never });
  };
  const ask = (kind: Ask['kind']) => () => onAsk({ kind, devices, done });
  const actions = [
    { key: 'restart', label: t('device:restart'), onClick: ask('restart') },
    {
      key: 'blacklist',
      label: t('device:blacklist'),
      disabled: allReceived,
      title: allReceived ? t('common:receivedText') : undefined,
      onClick: ask('blacklist'),
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
    { key: 'delete', label: t('common:delete'), danger: true, onClick: ask('delete') },
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

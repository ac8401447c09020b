import { controlCalls, type DeviceRow } from '@device-center/contract';
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { NameList } from '../../../ui/name-list.tsx';

type Listed = Pick<DeviceRow, 'deviceId' | 'deviceName'>;

/** Asks for confirmation before devices leave the blacklist. `run` replaces the default, which is a single call. */
export const useRemoveFromBlacklist = () => {
  const { t } = useTranslation(['device', 'common']);
  const { modal } = App.useApp();
  const unblack = useCallMutation(controlCalls.markBlack, { toast: true });
  const removeAll = async (devices: readonly Listed[]): Promise<void> => {
    const idList = devices.map(({ deviceId }) => deviceId);
    // The toast of every failed call shows the error.
    await unblack.mutateAsync({ idList, op: 0 }).catch(() => undefined);
  };
  return (devices: readonly Listed[], run: () => Promise<void> | void = () => removeAll(devices)): void => {
    const [first] = devices;
    const name = first?.deviceName ?? '';
    modal.confirm({
      title: devices.length === 1 ? t('unblackOneTitle', { name }) : t('unblackMany', { count: devices.length }),
      content: (
        <>
          <p>{t('unblackText')}</p>
          {devices.length > 1 && <NameList names={devices.map(({ deviceName }) => deviceName)} muted />}
        </>
      ),
      okText: t('unblack'),
      cancelText: t('common:cancel'),
      onOk: run,
    });
  };
};

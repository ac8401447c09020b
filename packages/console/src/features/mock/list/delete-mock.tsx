import {
  applicationCalls,
  deviceCalls,
  type MockRow,
  mockCalls,
  productCalls,
  recordCalls,
} from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { keyOf, useCall, useCallMutation } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';

/** Other lists that contain or count devices. */
const alsoRefreshes = [
  deviceCalls.queryDeviceList,
  productCalls.queryDeviceProductList,
  applicationCalls.queryApplicationList,
];

/** Number of messages that the deletion removes; undefined without permission to read them. */
const useMessageCount = (deviceId: string): number | undefined => {
  const mayRead = useCan('device:read');
  return useCall(recordCalls.deviceMessageRecord, { deviceId, pageSize: 1 }, { enabled: mayRead }).data?.total;
};

const Losses = ({ mock: { deviceId, childCount, online } }: { mock: MockRow }) => {
  const { t } = useTranslation('mock');
  const count = useMessageCount(deviceId);
  return (
    <ul className="dc-mock-losses">
      {childCount > 0 && <li>{t('loseChildren', { count: childCount })}</li>}
      <li>{count === undefined ? t('loseRecords') : t('loseCountedRecords', { count, messages: countText(count) })}</li>
      {online === 1 && <li>{t('loseConnection')}</li>}
    </ul>
  );
};

type DeleteMockProps = { mock: MockRow; onClose: () => void };

export const DeleteMock = ({ mock, onClose }: DeleteMockProps) => {
  const { t } = useTranslation('mock');
  const client = useQueryClient();
  const remove = useCallMutation(mockCalls.deleteMockDevice, { toast: true, alsoRefreshes });
  const { deviceId, deviceName } = mock;

  const confirm = async () => {
    try {
      await remove.mutateAsync({ deviceId });
      onClose();
    } catch (error) {
      // Another user may have deleted the device.
      void client.invalidateQueries({ queryKey: [keyOf(mockCalls.queryMockDeviceList)[0]] });
      throw error;
    }
  };

  return (
    <ConfirmDelete
      open
      title={t('deleteTitle', { name: deviceName })}
      text={
        <>
          <p>{t('deleteText')}</p>
          <Losses mock={mock} />
        </>
      }
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};

import { otaCalls, type UpgradeRow, UpgradeStatus } from '@device-center/contract';
import { Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { ErrorCard } from '../../../ui/states.tsx';
import { reasonText } from '../task-texts.ts';

const PAGE_SIZE = 10;

type FailedDevicesProps = { id?: string; value?: string[]; onChange?: (ids: string[]) => void; taskId: string };

/** Selects among the failed devices of a task. */
export const FailedDevices = ({ id, value = [], onChange, taskId }: FailedDevicesProps) => {
  const { t } = useTranslation(['ota', 'common']);
  const [pageIndex, setPageIndex] = useState(1);
  const query = useCall(
    otaCalls.deviceOtaList,
    { taskId, status: [UpgradeStatus.failed], pageIndex, pageSize: PAGE_SIZE },
    { keepPrevious: true },
  );
  if (query.error) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div id={id} tabIndex={-1}>
      <Table<UpgradeRow>
        className="dc-table dc-table-compact"
        size="medium"
        rowKey="deviceId"
        loading={query.isPending}
        dataSource={query.data?.list ?? []}
        rowSelection={{
          selectedRowKeys: value,
          preserveSelectedRowKeys: true,
          onChange: (keys) => onChange?.(keys.map(String)),
          getTitleCheckboxProps: () => ({ 'aria-label': t('common:selectAll') }),
          getCheckboxProps: ({ deviceId, deviceName }) => ({
            'aria-label': t('common:selectRow', { name: deviceName || deviceId }),
          }),
        }}
        columns={[
          {
            key: 'device',
            title: t('ota:device'),
            render: (_, { deviceName, deviceId }) => (
              <div className="dc-two-lines">
                <span>{deviceName || deviceId}</span>
                <small className="dc-mono">{deviceId}</small>
              </div>
            ),
          },
          { key: 'reason', title: t('ota:reason'), render: (_, { reason }) => reasonText(reason) },
        ]}
        pagination={{
          current: pageIndex,
          pageSize: PAGE_SIZE,
          total: query.data?.total ?? 0,
          showSizeChanger: false,
          hideOnSinglePage: true,
          onChange: setPageIndex,
        }}
      />
    </div>
  );
};

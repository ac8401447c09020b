import { type DeviceRow, deviceCalls } from '@device-center/contract';
import { Modal, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { TextFilter } from '../../../ui/filter-bar.tsx';
import { useMobile } from '../../../ui/media.ts';
import { PresenceDot } from '../../../ui/presence-dot.tsx';
import { ErrorCard } from '../../../ui/states.tsx';

const PAGE_SIZE = 10;

type PickDevicesProps = {
  productId: string;
  appId: string;
  present: readonly string[];
  onPick: (ids: string[]) => void;
  onClose: () => void;
};

/** Dialog to select devices of the product by name or id. */
export const PickDevices = ({ productId, appId, present, onPick, onClose }: PickDevicesProps) => {
  const { t } = useTranslation(['otaForm', 'ota', 'common']);
  const [searchValue, setSearchValue] = useState('');
  const [pageIndex, setPageIndex] = useState(1);
  const [picked, setPicked] = useState<string[]>([]);
  const mobile = useMobile();
  const query = useCall(
    deviceCalls.queryDeviceList,
    { productId, applicationId: appId, searchValue, pageIndex, pageSize: PAGE_SIZE },
    { keepPrevious: true },
  );
  const versionColumn = {
    key: 'version',
    title: t('ota:nowRuns'),
    width: 120,
    render: (_: unknown, { versionNumber }: DeviceRow) => <span className="dc-mono">{versionNumber || '—'}</span>,
  };
  return (
    <Modal
      open
      width={640}
      title={t('otaForm:pickTitle')}
      okText={t('otaForm:pickOk', { count: picked.length })}
      okButtonProps={{ disabled: picked.length === 0 }}
      cancelText={t('common:cancel')}
      onOk={() => onPick(picked)}
      onCancel={onClose}
    >
      <div className="dc-pick-devices">
        <TextFilter
          label={t('otaForm:pickSearch')}
          value={searchValue}
          onChange={(typed) => {
            setSearchValue(typed);
            setPageIndex(1);
          }}
        />
        {query.error ? (
          <ErrorCard error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Table<DeviceRow>
            className="dc-table dc-table-compact"
            size="medium"
            rowKey="deviceId"
            loading={query.isPending}
            dataSource={query.data?.list ?? []}
            locale={{ emptyText: searchValue === '' ? t('otaForm:pickNone') : t('common:noMatch') }}
            rowSelection={{
              selectedRowKeys: picked,
              preserveSelectedRowKeys: true,
              onChange: (keys) => setPicked(keys.map(String)),
              getTitleCheckboxProps: () => ({ 'aria-label': t('common:selectAll') }),
              getCheckboxProps: ({ deviceId, deviceName }) => ({
                disabled: present.includes(deviceId),
                'aria-label': t('common:selectRow', { name: deviceName }),
              }),
            }}
            columns={[
              {
                key: 'name',
                title: t('ota:device'),
                render: (_, { deviceName, deviceId, versionNumber }) => (
                  <div className="dc-two-lines">
                    <span>{deviceName}</span>
                    <small className="dc-mono">{deviceId}</small>
                    {mobile && <small className="dc-mono">{versionNumber}</small>}
                  </div>
                ),
              },
              ...(mobile ? [] : [versionColumn]),
              {
                key: 'online',
                title: t('ota:status'),
                width: 100,
                render: (_, { online }) => <PresenceDot online={online === 1}>{t(`ota:online_${online}`)}</PresenceDot>,
              },
            ]}
            pagination={{
              current: pageIndex,
              pageSize: PAGE_SIZE,
              total: query.data?.total ?? 0,
              showSizeChanger: false,
              simple: true,
              onChange: setPageIndex,
            }}
          />
        )}
      </div>
    </Modal>
  );
};

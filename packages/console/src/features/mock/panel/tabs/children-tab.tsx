import { deviceCalls, MOCK_CHILDREN_MAX, type MockProfile, mockCalls } from '@device-center/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Cpu, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keyOf, useCallMutation } from '../../../../api/use-call.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDelete } from '../../../../ui/confirm-delete.tsx';
import { CopyId } from '../../../../ui/copy-id.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { StatusDot } from '../../../../ui/status-dot.tsx';
import { AddChildrenDialog } from '../../create/add-children.tsx';
import { usePanel } from '../panel-context.ts';
import './tabs.css';

const useChildState = () => {
  const { t } = useTranslation('mockTabs');
  const { mock, online, mounted } = usePanel();
  return (deviceId: string) => {
    const isMounted = mounted.includes(deviceId);
    if (!isMounted) return { isMounted, status: <StatusDot tone="offline">{t('unmounted')}</StatusDot> };
    if (mock.isOnline(deviceId)) return { isMounted, status: <StatusDot tone="online">{t('childOnline')}</StatusDot> };
    return { isMounted, status: <StatusDot tone="warning">{t(online ? 'mounting' : 'mountsLater')}</StatusDot> };
  };
};

const useUnmount = () => {
  const { details, mock, chosen, choose } = usePanel();
  return async (deviceId: string): Promise<void> => {
    if (chosen === deviceId) choose(details.deviceId);
    // The logout may fail if the connection is lost; the gateway has unmounted the child in any case.
    await mock.unmount(deviceId).catch(() => undefined);
  };
};

type ChildRowProps = { child: MockProfile; onDelete: () => void };

const ChildRow = ({ child: { deviceId, deviceName, productName }, onDelete }: ChildRowProps) => {
  const { t } = useTranslation('mockTabs');
  const { mock, chosen, choose } = usePanel();
  const unmount = useUnmount();
  const isKnown = mock.deviceIds.includes(deviceId);
  const { isMounted, status } = useChildState()(deviceId);
  return (
    <li className="dc-child-row">
      <div className="dc-child-name">
        <strong>{deviceName}</strong>
        <CopyId value={deviceId} label={deviceName} />
        <span className="dc-muted dc-small">{productName}</span>
      </div>
      {status}
      <div className="dc-tab-actions">
        {isMounted && (
          <Button
            size="small"
            type={chosen === deviceId ? 'primary' : 'default'}
            aria-pressed={chosen === deviceId}
            aria-label={`${t('sendAs')} ${deviceName}`}
            onClick={() => choose(deviceId)}
          >
            {t(chosen === deviceId ? 'sendingAs' : 'sendAs')}
          </Button>
        )}
        {isMounted ? (
          <Button size="small" aria-label={`${t('unmount')} ${deviceName}`} onClick={() => void unmount(deviceId)}>
            {t('unmount')}
          </Button>
        ) : (
          <Button
            size="small"
            disabled={!isKnown}
            aria-label={`${t('mount')} ${deviceName}`}
            onClick={() => mock.mount(deviceId)}
          >
            {t('mount')}
          </Button>
        )}
        <Button
          type="text"
          size="small"
          danger
          icon={<Trash2 size={15} aria-hidden />}
          aria-label={t('deleteChild', { name: deviceName })}
          onClick={onDelete}
        />
      </div>
    </li>
  );
};

type DeleteChildProps = { child: MockProfile | null; onClose: () => void };

const DeleteChild = ({ child, onClose }: DeleteChildProps) => {
  const { t } = useTranslation('mockTabs');
  const { mock } = usePanel();
  const unmount = useUnmount();
  const remove = useCallMutation(mockCalls.deleteMockDevice, {
    toast: true,
    alsoRefreshes: [deviceCalls.queryDeviceList],
  });
  const confirm = async () => {
    if (!child) return;
    if (mock.mounted().includes(child.deviceId)) await unmount(child.deviceId);
    await remove.mutateAsync({ deviceId: child.deviceId });
    onClose();
  };
  return (
    <ConfirmDelete
      open={child !== null}
      title={t('deleteChild', { name: child?.deviceName ?? '' })}
      text={t('deleteChildText')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};

const ChildrenTab = () => {
  const { t } = useTranslation('mockTabs');
  const client = useQueryClient();
  const { details, mock, mounted } = usePanel();
  const { deviceId, tenancyId, children } = details;
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<MockProfile | null>(null);
  const isFull = children.length >= MOCK_CHILDREN_MAX;
  const addButton = (
    <Button
      type={children.length === 0 ? 'primary' : 'default'}
      disabled={isFull}
      title={isFull ? t('childrenFull', { max: MOCK_CHILDREN_MAX }) : ''}
      icon={<Plus size={15} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      {t('addChildren')}
    </Button>
  );
  return (
    <div className="dc-mock-tab">
      {children.length === 0 ? (
        <EmptyState icon={<Cpu size={22} />} title={t('noChildren')} text={t('noChildrenText')} action={addButton} />
      ) : (
        <>
          <div className="dc-tab-actions">
            <span>{t('childCount', { count: children.length, max: MOCK_CHILDREN_MAX })}</span>
            <Button disabled={children.every((child) => mounted.includes(child.deviceId))} onClick={mock.mountAll}>
              {t('mountAll')}
            </Button>
            {addButton}
          </div>
          {isFull && <p className="dc-muted dc-small">{t('childrenFull', { max: MOCK_CHILDREN_MAX })}</p>}
          <ul className="dc-child-list">
            {children.map((child) => (
              <ChildRow key={child.deviceId} child={child} onDelete={() => setDeleting(child)} />
            ))}
          </ul>
        </>
      )}
      <AddChildrenDialog
        gateway={{ deviceId, tenancyId, children: children.length }}
        open={adding}
        onClose={() => setAdding(false)}
        onAdded={() => void client.invalidateQueries({ queryKey: keyOf(mockCalls.getMockDeviceDetails, { deviceId }) })}
      />
      <DeleteChild child={deleting} onClose={() => setDeleting(null)} />
    </div>
  );
};

export default ChildrenTab;

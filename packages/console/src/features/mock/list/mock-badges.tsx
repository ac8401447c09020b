import { MOCK_CHILDREN_MAX, type MockRow, NodeType } from '@device-center/contract';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { mockPath } from '../../../paths.ts';
import { NameCell } from '../../../ui/name-cell.tsx';
import { PresenceDot } from '../../../ui/presence-dot.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';

type BadgeProps = { mock: MockRow };

/** Children are shown with their gateway. A child in the list has lost its gateway and cannot connect any more. */
export const isOrphan = ({ nodeType }: Pick<MockRow, 'nodeType'>): boolean => nodeType === NodeType.child;

export const MockName = ({ mock: { deviceId, deviceName, nodeType } }: BadgeProps) => (
  <NameCell id={deviceId} name={deviceName}>
    {isOrphan({ nodeType }) ? <span>{deviceName}</span> : <Link to={mockPath(deviceId)}>{deviceName}</Link>}
  </NameCell>
);

const Restrictions = ({ mock: { blacklisted, kickedUntil, nodeType } }: BadgeProps) => {
  const { t } = useTranslation('mock');
  return (
    <>
      {isOrphan({ nodeType }) && (
        <Tooltip title={t('orphanText')}>
          <span className="dc-tag dc-tag-warning">{t('orphan')}</span>
        </Tooltip>
      )}
      {blacklisted === 1 && <span className="dc-tag dc-tag-failed">{t('blacklisted')}</span>}
      {Date.parse(kickedUntil) > Date.now() && <span className="dc-tag dc-tag-warning">{t('kicked')}</span>}
    </>
  );
};

/** Presence, since when, and restrictions that prevent a login. */
export const MockStatus = ({ mock }: BadgeProps) => {
  const { t } = useTranslation('mock');
  const online = mock.online === 1;
  return (
    <div className="dc-mock-status">
      <PresenceDot online={online}>{t(online ? 'online' : 'offline')}</PresenceDot>
      <Restrictions mock={mock} />
      <span className="dc-muted dc-small">
        {mock.presenceTime === '' ? t('neverOnline') : <RelativeTime value={mock.presenceTime} />}
      </span>
    </div>
  );
};

/** Who runs the device: the hub now, the hub if no page does, or only pages. */
export const RunBy = ({ mock }: BadgeProps) => {
  const { t } = useTranslation('mock');
  if (isOrphan(mock)) return '—';
  if (mock.runningInHub === 1) return <StatusDot tone="running">{t('runningInHub')}</StatusDot>;
  return t(mock.runInHub === 1 ? 'runInHub' : 'runInPage');
};

export const ChildCount = ({ mock: { nodeType, childCount } }: BadgeProps) => (
  <span className="dc-number">{nodeType === NodeType.gateway ? `${childCount}/${MOCK_CHILDREN_MAX}` : '—'}</span>
);

export const MockProduct = ({ mock: { productId, productName } }: BadgeProps) => (
  <NameCell id={productId} name={productName}>
    <span title={productName}>{productName}</span>
  </NameCell>
);

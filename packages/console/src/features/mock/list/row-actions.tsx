import type { MockRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { devicePath, mockPath, qrPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Link, type Path, useNavigate } from '../../../ui/routing.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { isOrphan } from './mock-badges.tsx';

type RowActionsProps = { mock: MockRow; onDelete: () => void };

export const RowActions = ({ mock, onDelete }: RowActionsProps) => {
  const { t } = useTranslation(['mock', 'common']);
  const navigate = useNavigate();
  const mayDevices = useCan('device:list');
  const { deviceId, deviceName } = mock;
  if (isOrphan(mock))
    return (
      <Button danger type="text" size="small" aria-label={`${t('common:delete')}: ${deviceName}`} onClick={onDelete}>
        {t('common:delete')}
      </Button>
    );
  const open = (to: Path) => () => void navigate({ to });
  return (
    <>
      <Link to={mockPath(deviceId)} aria-label={`${t('mock:openPanel')}: ${deviceName}`}>
        {t('mock:panel')}
      </Link>
      <RowMenu
        name={deviceName}
        items={[
          ...(mayDevices ? [{ key: 'device', label: t('mock:openDevice'), onClick: open(devicePath(deviceId)) }] : []),
          { key: 'qr', label: t('mock:qrCode'), onClick: open(qrPath(deviceId)) },
          { key: 'delete', label: t('common:delete'), danger: true, onClick: onDelete },
        ]}
      />
    </>
  );
};

import type { VersionRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { taskFormPath, versionPath } from '../../../paths.ts';
import { Link, useNavigate } from '../../../ui/routing.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';

type VersionActionsProps = { version: VersionRow; onDelete: () => void };

export const VersionActions = ({ version, onDelete }: VersionActionsProps) => {
  const { t } = useTranslation(['firmware', 'common']);
  const navigate = useNavigate();
  const mayCreateTask = useCan('ota:write');
  const { versionId, versionName, versionNumber, unfinishedTaskCount } = version;
  const mayEdit = unfinishedTaskCount === 0;
  const view = () => void navigate({ to: versionPath(versionId, 2) });
  const createTask = () => void navigate({ to: taskFormPath, search: { versionId } });
  return (
    <>
      <Link to={versionPath(versionId, mayEdit ? 1 : 2)}>{t(mayEdit ? 'common:edit' : 'common:view')}</Link>
      <RowMenu
        name={`${versionName} ${versionNumber}`}
        items={[
          ...(mayEdit ? [{ key: 'view', label: t('common:view'), onClick: view }] : []),
          ...(mayCreateTask ? [{ key: 'task', label: t('firmware:newTask'), onClick: createTask }] : []),
          { key: 'delete', label: t('common:delete'), danger: true, onClick: onDelete },
        ]}
      />
    </>
  );
};

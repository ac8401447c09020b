import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { type AskToDelete, DeleteRows, Dependents } from '../../../ui/delete-rows.tsx';
import { TaskCount } from './task-count.tsx';

const fullName = ({ versionName, versionNumber }: VersionRow): string => `${versionName} ${versionNumber}`;

const VersionsInUse = ({ versions }: { versions: VersionRow[] }) => {
  const { t } = useTranslation('firmware');
  const items = versions.map((version) => ({
    id: version.versionId,
    name: fullName(version),
    links: <TaskCount version={version} withUnit />,
  }));
  return <Dependents title={t('inUse')} items={items} />;
};

type DeleteVersionsProps = AskToDelete & { versions: VersionRow[] };

/** The hub rejects deleting a version that an unfinished task uses. The loaded counts show this before a request. */
export const DeleteVersions = ({ versions, leaves = false, ...props }: DeleteVersionsProps) => {
  const { t } = useTranslation('firmware');
  const { mutateAsync } = useCallMutation(firmwareCalls.deleteDeviceOtaVersion, { toast: true, leaves });
  const used = versions.filter(({ unfinishedTaskCount }) => unfinishedTaskCount > 0);
  const running = versions.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  return (
    <DeleteRows
      names={versions.map(fullName)}
      titles={{ one: (name) => t('deleteTitle', { name }), several: (count) => t('deleteManyTitle', { count }) }}
      text={
        <>
          <p>{t(versions.length === 1 ? 'deleteText' : 'deleteManyText')}</p>
          {running > 0 && <p>{t('deleteRunning', { count: running })}</p>}
        </>
      }
      blockedReason={used.length > 0 ? <VersionsInUse versions={used} /> : undefined}
      remove={() => mutateAsync({ versionIds: versions.map(({ versionId }) => versionId) })}
      {...props}
    />
  );
};

import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../api/use-call.ts';
import { type AskToDelete, DeleteRows, InTheWay } from '../../../ui/delete-rows.tsx';
import { TaskCount } from './task-count.tsx';

const fullName = ({ versionName, versionNumber }: VersionRow): string => `${versionName} ${versionNumber}`;

const VersionsInUse = ({ versions }: { versions: VersionRow[] }) => {
  const { t } = useTranslation('firmware');
  const items = versions.map((version) => ({
    id: version.versionId,
    name: fullName(version),
    links: <TaskCount version={version} words />,
  }));
  return <InTheWay title={t('inUse')} items={items} />;
};

type DeleteVersionsProps = AskToDelete & { versions: VersionRow[] };

/** The hub refuses what an unfinished task uses, and the counts at hand tell so beforehand. */
export const DeleteVersions = ({ versions, leaves = false, ...then }: DeleteVersionsProps) => {
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
      refusal={used.length > 0 ? <VersionsInUse versions={used} /> : undefined}
      remove={() => mutateAsync({ versionIds: versions.map(({ versionId }) => versionId) })}
      {...then}
    />
  );
};

import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../api/use-call.ts';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { TaskCount } from './task-count.tsx';

const NAMES_SHOWN = 10;

const fullName = ({ versionName, versionNumber }: VersionRow): string => `${versionName} ${versionNumber}`;

/** What stands in the way, by version, each with the way there. */
const VersionsInUse = ({ versions }: { versions: VersionRow[] }) => {
  const { t } = useTranslation('firmware');
  return (
    <>
      <p>{t('inUse')}</p>
      {versions.map((version) => (
        <div key={version.versionId} className="dc-linked dc-linked-row">
          <strong>{fullName(version)}</strong>
          <TaskCount version={version} words />
        </div>
      ))}
    </>
  );
};

type DeleteVersionsProps = { versions: VersionRow[]; onClose: () => void; onDeleted: () => void };

/** One or several, all or none; the hub refuses what an unfinished task uses, and the counts at hand tell so beforehand. */
export const DeleteVersions = ({ versions, onClose, onDeleted }: DeleteVersionsProps) => {
  const { t } = useTranslation('firmware');
  const [refused, setRefused] = useState<string>();
  const remove = useCommand(firmwareCalls.deleteDeviceOtaVersion, { toast: true });
  const used = versions.filter(({ unfinishedTaskCount }) => unfinishedTaskCount > 0);
  const count = versions.length;
  const only = count === 1 ? versions[0] : undefined;
  const running = versions.reduce((sum, { deviceCount }) => sum + deviceCount, 0);

  const confirm = async () => {
    try {
      await remove.mutateAsync({ versionIds: versions.map(({ versionId }) => versionId) });
      onDeleted();
    } catch (error) {
      // The list may have been older than the truth.
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <ConfirmDelete
      open
      title={only ? t('deleteTitle', { name: fullName(only) }) : t('deleteManyTitle', { count })}
      text={
        <>
          <p>{t(only ? 'deleteText' : 'deleteManyText')}</p>
          {running > 0 && <p>{t('deleteRunning', { count: running })}</p>}
          {!only && (
            <p>
              {versions.slice(0, NAMES_SHOWN).map(fullName).join(t('listSeparator'))}
              {count > NAMES_SHOWN && ' …'}
            </p>
          )}
        </>
      }
      refusal={used.length > 0 ? <VersionsInUse versions={used} /> : refused}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};

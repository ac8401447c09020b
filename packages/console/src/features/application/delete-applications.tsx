import { type ApplicationRow, applicationCalls, tenancyCalls } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';

const NAMES_SHOWN = 10;

type DeleteApplicationsProps = { applications: ApplicationRow[]; onClose: () => void; onDeleted: () => void };

/** One: type its name. Several, all or none: type how many. */
export const DeleteApplications = ({ applications, onClose, onDeleted }: DeleteApplicationsProps) => {
  const { t } = useTranslation('application');
  const [refused, setRefused] = useState<string>();
  const remove = useCommand(applicationCalls.deleteApplication, {
    toast: true,
    alsoRefreshes: [tenancyCalls.queryTenancyList],
  });
  const confirm = async () => {
    try {
      await remove.mutateAsync({ applicationIds: applications.map(({ applicationId }) => applicationId) });
      onDeleted();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  const count = applications.length;
  const only = count === 1 ? applications[0] : undefined;
  const devices = applications.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  const names = applications.slice(0, NAMES_SHOWN).map(({ applicationName }) => applicationName);
  return (
    <ConfirmDelete
      open
      title={only ? t('deleteTitle', { name: only.applicationName }) : t('deleteManyTitle', { count })}
      text={
        <>
          <p>
            <strong>{t('deleteWarning')}</strong>
          </p>
          <p>{t('deleteDevices', { count: devices })}</p>
          <p className="dc-muted">{t('deleteText')}</p>
          {!only && (
            <p>
              {names.join(t('listSeparator'))}
              {count > NAMES_SHOWN && ' …'}
            </p>
          )}
        </>
      }
      typed={only?.applicationName ?? String(count)}
      refusal={refused}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};

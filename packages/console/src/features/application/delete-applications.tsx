import { type ApplicationRow, applicationCalls, tenancyCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { type AskToDelete, DeleteRows } from '../../ui/delete-rows.tsx';

type DeleteApplicationsProps = AskToDelete & { applications: ApplicationRow[] };

/** Confirmed by typing the name of a single application, or the number of several. */
export const DeleteApplications = ({ applications, leaves = false, ...props }: DeleteApplicationsProps) => {
  const { t } = useTranslation('application');
  const { mutateAsync } = useCallMutation(applicationCalls.deleteApplication, {
    toast: true,
    leaves,
    alsoRefreshes: [tenancyCalls.queryTenancyList],
  });
  const count = applications.length;
  const single = count === 1 ? applications[0] : undefined;
  const devices = applications.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  return (
    <DeleteRows
      names={applications.map(({ applicationName }) => applicationName)}
      titles={{ one: (name) => t('deleteTitle', { name }), several: () => t('deleteManyTitle', { count }) }}
      text={
        <>
          <p>
            <strong>{t('deleteWarning')}</strong>
          </p>
          <p>{t('deleteDevices', { count: devices })}</p>
          <p className="dc-muted">{t('deleteText')}</p>
        </>
      }
      typed={single?.applicationName ?? String(count)}
      remove={() => mutateAsync({ applicationIds: applications.map(({ applicationId }) => applicationId) })}
      {...props}
    />
  );
};

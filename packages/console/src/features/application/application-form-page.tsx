import { type ApplicationRow, applicationCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api/use-call.ts';
import { applicationListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { formMode, formModeParam, useRouteParams } from '../../ui/list-search.ts';
import { Link } from '../../ui/routing.ts';
import { CreateApplication, EditApplication } from './application-form.tsx';
import { ApplicationView } from './application-view.tsx';

const params = z.object({ applicationId: z.string(), status: formModeParam() });

/** `{status}` selects the mode: 0 create, 1 edit, 2 view. A disabled application is read-only. */
const ApplicationFormPage = () => {
  const { t } = useTranslation('common');
  const { applicationId, status } = useRouteParams(params);
  const creating = status === formMode.create;
  const query = useCall(applicationCalls.getApplicationDetails, { applicationId }, { enabled: !creating });
  if (creating) return <CreateApplication />;
  return (
    <Loaded<ApplicationRow> query={query} action={<Link to={applicationListPath}>{t('back')}</Link>}>
      {(application) =>
        status === formMode.edit && application.enabled === 1 ? (
          <EditApplication key={application.applicationId} application={application} />
        ) : (
          <ApplicationView application={application} />
        )
      }
    </Loaded>
  );
};

export default ApplicationFormPage;

import { type TenancyRow, tenancyCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api/use-call.ts';
import { tenantListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { formMode, formModeParam, useRouteParams } from '../../ui/list-search.ts';
import { Link } from '../../ui/routing.ts';
import { CreateTenant, EditTenant } from './tenant-form.tsx';
import { TenantView } from './tenant-view.tsx';

const params = z.object({ tenancyId: z.string(), status: formModeParam() });

/** `{status}`: 0 create, 1 edit, 2 view. The platform tenant can only be viewed. */
const TenantFormPage = () => {
  const { t } = useTranslation('common');
  const { tenancyId, status } = useRouteParams(params);
  const creating = status === formMode.create;
  const query = useCall(tenancyCalls.getTenancyDetails, { tenancyId }, { enabled: !creating });
  if (creating) return <CreateTenant />;
  return (
    <Loaded<TenancyRow> query={query} action={<Link to={tenantListPath}>{t('back')}</Link>}>
      {(tenant) =>
        status === formMode.edit && tenant.builtin === 0 ? (
          <EditTenant key={tenant.tenancyId} tenant={tenant} />
        ) : (
          <TenantView tenant={tenant} />
        )
      }
    </Loaded>
  );
};

export default TenantFormPage;

import { type RoleRow, roleCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api/use-call.ts';
import { roleListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { formMode, formModeParam, useRouteParams } from '../../ui/list-search.ts';
import { Link } from '../../ui/routing.ts';
import { CreateRole } from './create-role.tsx';
import { EditRole } from './edit-role.tsx';
import { RoleView } from './role-view.tsx';

const params = z.object({ roleId: z.string(), status: formModeParam() });
const NO_ROLE = '0';

/** `{status}`: 0 create (with a role id: copy it), 1 edit, 2 view. The built-in role can only be viewed. */
const RoleFormPage = () => {
  const { t } = useTranslation('common');
  const { roleId, status } = useRouteParams(params);
  const blank = status === formMode.create && roleId === NO_ROLE;
  const query = useCall(roleCalls.getRoleDetails, { roleId }, { enabled: !blank });
  if (blank) return <CreateRole />;
  return (
    <Loaded<RoleRow> query={query} action={<Link to={roleListPath}>{t('back')}</Link>}>
      {(role) => {
        if (status === formMode.create) return <CreateRole key={role.roleId} template={role} />;
        if (status === formMode.edit && role.builtin === 0) return <EditRole key={role.roleId} role={role} />;
        return <RoleView role={role} />;
      }}
    </Loaded>
  );
};

export default RoleFormPage;

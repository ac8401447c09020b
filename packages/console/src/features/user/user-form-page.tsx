import { type UserRow, userCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { userListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { formMode, formModeParam, useRouteParams } from '../../ui/list-search.ts';
import { Link } from '../../ui/routing.ts';
import { CreateUser } from './create-user.tsx';
import { EditUser } from './edit-user.tsx';
import { UserView } from './user-view.tsx';

const params = z.object({ userId: z.string(), status: formModeParam() });

/** `{status}`: 0 create, 1 edit, 2 view. Users edit themselves in the personal center, not here. */
const UserFormPage = () => {
  const { t } = useTranslation('common');
  const ownId = useSession()?.userId;
  const { userId, status } = useRouteParams(params);
  const creating = status === formMode.create;
  const query = useCall(userCalls.getUserDetails, { userId }, { enabled: !creating });
  if (creating) return <CreateUser />;
  return (
    <Loaded<UserRow> query={query} action={<Link to={userListPath}>{t('back')}</Link>}>
      {(user) =>
        status === formMode.edit && user.userId !== ownId ? (
          <EditUser key={user.userId} user={user} />
        ) : (
          <UserView user={user} />
        )
      }
    </Loaded>
  );
};

export default UserFormPage;

import { is, row } from './rows.mjs';

const roles = (title) => `server/roles › ${title}`;

export const permissions = {
  number: 6,
  title: 'Roles and permissions',
  rows: [
    row(
      'Roles are of a tenant',
      roles('has a name of its own in its tenant, without regard to case, and may share it with another tenant'),
      'server/isolation › $name shows rows of one’s own tenant only',
    ),
    row(
      'A role carries a list of menus, a tree',
      roles('is granted leaves: parents sent along are not kept, alone they are nothing, unknown ones are refused'),
      'console/features/role/permission-tree › gives the pages of a group, never the group',
      'console/features/role/permission-tree › previews the sidebar and sends pages only',
    ),
    row(
      'What a role’s menus do not give is refused, call by call',
      'server/contract › is refused to a role without its menus, whatever others it has',
      'server/contract › is open to a role with any one of its menus',
    ),
    row(
      'A user has a role and a tenant',
      'server/users › takes a role of the tenant he is made in',
      'server/isolation › finds nothing, tells nothing and changes nothing',
    ),
    row(
      'A user’s role can be changed',
      'server/users › is one of the user’s tenant, and ends the user’s sessions at once',
      'console/features/user/user › get a new role only after a question, as it ends their sessions',
    ),
    row(
      'Menus are shown by a stored list of permitted ids',
      'server/login › answers who one is and what one may see',
      'console/app/shell › leads a role to its first page, with only its own menus',
    ),
    row(
      'A top-level menu shows only if its id is in the list',
      'console/app/navigation › shows no parent without its id, and none without a leaf of its own',
      'console/app/navigation › lets a top-level page without leaves stand by itself',
    ),
    row(
      'A child menu shows only if its id is in the list',
      'console/app/navigation › shows a leaf only with its own id',
    ),
    row(
      'A tenant with linked applications cannot be deleted',
      'server/tenancies › is refused for one with applications or users, word for word',
      'e2e/shell › a linked tenant stays, named with what is linked; a free one goes',
    ),
    row(
      'A tenant with linked users cannot be deleted',
      'server/tenancies › is refused for one with applications or users, word for word',
    ),
    row(
      'Tenants are deleted singly',
      'e2e/shell › a linked tenant stays, named with what is linked; a free one goes',
      'server/categories › a tenant takes its categories and products along, and nobody else’s',
    ),
    row('Tenants are deleted in bulk', 'server/tenancies › takes all of several or none'),
    row(
      'Deleting an application deletes all its devices',
      'server/applications-deleted › cuts its devices and deletes them with all their records; others stay as they were',
      'console/features/application/application-list › deletes only after the name was typed, under the warning of the spec',
    ),
    row(
      'Only log-in and password recovery go without the token',
      is(['getPhoneCode', 'getVerificationCode', 'login', 'retrievePassword'], ({ contract }) =>
        contract.everyCall
          .filter(({ call }) => call.access === 'public' && call.path.startsWith('/iot-hub/'))
          .map(({ name }) => name)
          .sort(),
      ),
      'contract/errors › leaves exactly log-in, password recovery and the calls of devices to strangers',
      'server/contract › is refused without a token and with a made-up one',
      'server/codes › of type %i needs the token',
    ),
  ],
};

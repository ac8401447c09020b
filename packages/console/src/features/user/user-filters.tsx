import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useRoleChoices } from '../../api/choices.ts';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { FilterBar, TextFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { userListSearch } from './user-search.ts';
import './user.css';

type UserList = ReturnType<typeof useListSearch<z.output<typeof userListSearch>>>;

export const UserFilters = ({ list: { search, filter, filtered, clear } }: { list: UserList }) => {
  const { t } = useTranslation('user');
  const { tenancyId, roleId } = search;
  const roles = useRoleChoices(roleId, { tenancyId });
  return (
    <div className="dc-user-filters">
      <FilterBar
        filtered={filtered}
        onClear={clear}
        search={{ label: t('name'), value: search.name, onChange: (name) => filter({ name }) }}
      >
        <TextFilter label={t('username')} value={search.username} onChange={(username) => filter({ username })} />
        <TextFilter label={t('phone')} value={search.phone} onChange={(phone) => filter({ phone })} />
        <TenantFilter
          label={t('tenant')}
          value={tenancyId}
          // A role belongs to one tenant, so another tenant resets the role filter.
          onChange={(chosen) => filter({ tenancyId: chosen, roleId: undefined })}
        />
        <ChoiceFilter
          label={t('role')}
          choices={roles}
          value={roleId}
          onChange={(chosen) => filter({ roleId: chosen })}
        />
      </FilterBar>
    </div>
  );
};

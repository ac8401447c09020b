import { firmwareCalls, taskStatusIds } from '@device-center/contract';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { useFilterChip } from '../../../ui/filter-chips.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { TaskListSearch } from '../ota-paths.ts';
import { statusWord } from '../task-words.ts';
import { useVersionChoices } from '../version-choices.ts';

type TaskList = ReturnType<typeof useListSearch<TaskListSearch>>;

const StatusFilter = ({ list: { search, filter } }: { list: TaskList }) => {
  const { t } = useTranslation('ota');
  const { taskStatus } = search;
  const clear = () => filter({ taskStatus: undefined });
  useFilterChip(t('status'), taskStatus?.map(statusWord).join(t('listSeparator')), clear);
  return (
    <Select
      className="dc-task-filter-status"
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      aria-label={t('status')}
      placeholder={t('status')}
      value={taskStatus ?? []}
      options={taskStatusIds.map((value) => ({ value, label: statusWord(value) }))}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={(chosen) => filter({ taskStatus: chosen.length === 0 ? undefined : chosen })}
    />
  );
};

/** The version that stands in the address alone is asked for, for its name and its product. */
const VersionFilter = ({ list: { search, filter } }: { list: TaskList }) => {
  const { t } = useTranslation('ota');
  const { versionId = '', productId = '', tenancyId } = search;
  const { data } = useCall(
    firmwareCalls.getDeviceOtaVersionDetails,
    { versionId },
    { enabled: versionId !== '', staleTime: 60_000 },
  );
  const versions = useVersionChoices(data?.versionId === versionId ? data : undefined, { productId, tenancyId });
  return (
    <ChoiceFilter
      label={t('targetVersion')}
      choices={versions}
      value={search.versionId}
      onChange={(chosen) => filter({ versionId: chosen })}
    />
  );
};

export const TaskFilters = ({ list }: { list: TaskList }) => {
  const { t } = useTranslation('ota');
  const { search, filter, filtered, clear } = list;
  const products = useProductChoices(search.productId, { tenancyId: search.tenancyId });
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{
        label: t('searchName'),
        value: search.searchValue,
        onChange: (searchValue) => filter({ searchValue }),
      }}
    >
      <StatusFilter list={list} />
      <ChoiceFilter
        label={t('product')}
        choices={products}
        value={search.productId}
        onChange={(productId) => filter({ productId, versionId: undefined })}
      />
      <VersionFilter list={list} />
      {tenants && (
        <ChoiceFilter
          label={t('tenant')}
          choices={tenants}
          value={search.tenancyId}
          onChange={(tenancyId) => filter({ tenancyId })}
        />
      )}
    </FilterBar>
  );
};

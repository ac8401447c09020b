import { firmwareCalls, taskStatusIds } from '@device-center/contract';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { ProductFilter } from '../../../filters/product-filter.tsx';
import { TenantFilter } from '../../../filters/tenant-filter.tsx';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { ListFilterBar } from '../../../ui/filter-bar.tsx';
import { useFilterChip } from '../../../ui/filter-chips.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { TaskListSearch } from '../ota-search.ts';
import { taskStatusText } from '../task-texts.ts';
import { useVersionChoices } from '../version-choices.ts';

type TaskList = ReturnType<typeof useListSearch<TaskListSearch>>;

const StatusFilter = ({ list: { search, filter } }: { list: TaskList }) => {
  const { t } = useTranslation(['ota', 'common']);
  const { taskStatus } = search;
  const clear = () => filter({ taskStatus: undefined });
  useFilterChip(t('status'), taskStatus?.map(taskStatusText).join(t('listSeparator')), clear);
  return (
    <Select
      className="dc-task-filter-status"
      mode="multiple"
      allowClear={{ label: t('common:clear') }}
      maxTagCount="responsive"
      aria-label={t('status')}
      placeholder={t('status')}
      value={taskStatus ?? []}
      options={taskStatusIds.map((value) => ({ value, label: taskStatusText(value) }))}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={(chosen) => filter({ taskStatus: chosen.length === 0 ? undefined : chosen })}
    />
  );
};

/** Filter by target version. A version from the URL is fetched for its name and product. */
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
  const { search, filter } = list;
  return (
    <ListFilterBar label={t('searchName')} list={list}>
      <StatusFilter list={list} />
      <ProductFilter
        label={t('product')}
        value={search.productId}
        tenancyId={search.tenancyId}
        onChange={(productId) => filter({ productId, versionId: undefined })}
      />
      <VersionFilter list={list} />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </ListFilterBar>
  );
};

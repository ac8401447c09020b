import { tenancyCalls } from '@device-center/contract';
import { Form, Select } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SHOWN, useDebouncedSearch } from '../../../api/choices.ts';
import { useCall } from '../../../api/use-call.ts';
import { FlagSwitch } from '../../../ui/flag-switch.tsx';
import { NoOptions } from '../../../ui/no-options.tsx';
import type { TenantValue, ZoneValues } from './zone-values.ts';

type TenantSelectProps = { id?: string; value?: TenantValue[]; onChange?: (tenants: TenantValue[]) => void };

const TenantSelect = ({ id, value = [], onChange }: TenantSelectProps) => {
  const { t } = useTranslation(['zoneForm', 'common']);
  const { searchText, onSearch, onOpen } = useDebouncedSearch();
  const { data, isFetching } = useCall(
    tenancyCalls.queryTenancyList,
    { tenancyName: searchText, pageSize: SHOWN },
    { keepPrevious: true },
  );
  return (
    <Select<TenantValue[], TenantValue>
      {...(id === undefined ? {} : { id })}
      mode="multiple"
      labelInValue
      allowClear={{ label: t('common:clear') }}
      loading={isFetching}
      showSearch={{ filterOption: false, onSearch }}
      value={value}
      onChange={(tenants) => onChange?.(tenants.map((tenant) => ({ value: tenant.value, label: tenant.label })))}
      onOpenChange={onOpen}
      placeholder={t('zoneForm:tenantsNone')}
      notFoundContent={<NoOptions>{isFetching ? t('common:loading') : undefined}</NoOptions>}
      options={(data?.list ?? []).map(({ tenancyId, tenancyName }) => ({ value: tenancyId, label: tenancyName }))}
    />
  );
};

/** Preselects the tenant of a new zone if there is only one. */
const useOnlyTenant = (isNew: boolean): void => {
  const form = Form.useFormInstance<ZoneValues>();
  const { data } = useCall(tenancyCalls.queryTenancyList, { pageSize: 2 }, { enabled: isNew });
  const only = data?.total === 1 ? data.list[0] : undefined;
  useEffect(() => {
    if (!only || form.isFieldTouched('syncTenancies')) return;
    form.setFieldValue('syncTenancies', [{ value: only.tenancyId, label: only.tenancyName }]);
  }, [form, only]);
};

/** Selects the tenants that a zone synchronises to its nodes. */
export const TenantsField = ({ isNew }: { isNew: boolean }) => {
  const { t } = useTranslation('zoneForm');
  const all = Form.useWatch<0 | 1 | undefined>('syncAll') === 1;
  useOnlyTenant(isNew);
  return (
    <>
      <Form.Item name="syncAll" label={t('allTenantsLabel')} extra={t('allTenantsHint')}>
        <FlagSwitch />
      </Form.Item>
      {!all && (
        <Form.Item name="syncTenancies" label={t('tenantsLabel')} extra={t('tenantsHint')}>
          <TenantSelect />
        </Form.Item>
      )}
    </>
  );
};

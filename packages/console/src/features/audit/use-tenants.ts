import { PAGE_SIZE_MAX, tenancyCalls } from '@device-center/contract';
import { useCallback } from 'react';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';

const TENANTS_FRESH_MS = 60_000;

/** For platform operators: the names of tenants, where their role may list them. */
export const useTenants = () => {
  const operator = usePlatformOperator();
  const mayList = useCan('tenancy:list') && operator;
  const { data } = useCall(
    tenancyCalls.queryTenancyList,
    { pageSize: PAGE_SIZE_MAX },
    { enabled: mayList, staleTime: TENANTS_FRESH_MS },
  );
  const tenants = data?.list;
  // A tenant that was deleted since, or lies beyond the first page, is still known by its id.
  const nameOf = useCallback(
    (tenancyId: string) => tenants?.find((tenant) => tenant.tenancyId === tenancyId)?.tenancyName ?? tenancyId,
    [tenants],
  );
  return { nameOf: operator ? nameOf : undefined, mayList };
};

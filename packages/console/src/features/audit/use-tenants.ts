import { PAGE_SIZE_MAX, tenancyCalls } from '@device-center/contract';
import { useCallback } from 'react';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';

const TENANTS_STALE_MS = 60_000;

/** For platform operators: the names of tenants, where their role may list them. */
export const useTenants = () => {
  const operator = usePlatformOperator();
  const mayList = useCan('tenancy:list') && operator;
  const { data } = useCall(
    tenancyCalls.queryTenancyList,
    { pageSize: PAGE_SIZE_MAX },
    { enabled: mayList, staleTime: TENANTS_STALE_MS },
  );
  const tenants = data?.list;
  // A tenant that is deleted, or beyond the first page, is shown by its id.
  const nameOf = useCallback(
    (tenancyId: string) => tenants?.find((tenant) => tenant.tenancyId === tenancyId)?.tenancyName ?? tenancyId,
    [tenants],
  );
  return { nameOf: operator ? nameOf : undefined, mayList };
};

import {
  type ApplicationRow,
  applicationCalls,
  type CategoryRow,
  categoryCalls,
  type RoleRow,
  roleCalls,
  type TenancyRow,
  tenancyCalls,
} from '@device-center/contract';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { usePlatformOperator } from './platform-operator.ts';
import { useCan, useSession } from './session.ts';
import { useCall } from './use-call.ts';

export type Choice = { value: string; label: string; hint?: string; disabled?: boolean };

/** Options of a select that searches on the hub while the user types. */
export type Choices = {
  options: Choice[];
  loading: boolean;
  /** The list is empty even without a search term. */
  none: boolean;
  onSearch: (typed: string) => void;
  onOpen: (open: boolean) => void;
};

const TYPING_PAUSE_MS = 250;
export const SHOWN = 20;

export const useDebouncedSearch = () => {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [searchText, setSearchText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const onOpen = (open: boolean) => {
    if (open) return setOpened(true);
    setTyped('');
  };
  return { opened, searchText, onSearch: setTyped, onOpen };
};

const withSelected = (options: Choice[], chosen: Choice | undefined): Choice[] =>
  chosen === undefined || options.some(({ value }) => value === chosen.value) ? options : [chosen, ...options];

type ListQuery = { data: { total: number } | undefined; isFetching: boolean };

export const toChoices = (
  { searchText, onSearch, onOpen }: ReturnType<typeof useDebouncedSearch>,
  list: ListQuery,
  options: Choice[],
  chosen: Choice | undefined,
): Choices => ({
  options: searchText === '' ? withSelected(options, chosen) : options,
  loading: list.isFetching,
  none: searchText === '' && list.data?.total === 0 && !list.isFetching,
  onSearch,
  onOpen,
});

const tenantChoice = ({ tenancyId, tenancyName, enabled }: TenancyRow): Choice => ({
  value: tenancyId,
  label: tenancyName,
  ...(enabled === 0 ? { hint: i18next.t('common:disabled') } : {}),
});

/** Tenants, for platform operators. Until the select opens, only the name of the selected tenant is fetched. */
export const useTenantChoices = (tenancyId: string | undefined): Choices => {
  const operator = usePlatformOperator();
  const session = useSession();
  const mayRead = useCan('tenancy:read');
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const needsName = operator && tenancyId !== undefined && tenancyId !== '' && tenancyId !== session?.tenancyId;
  const list = useCall(
    tenancyCalls.queryTenancyList,
    { tenancyName: searchText, pageSize: SHOWN },
    { enabled: operator && (opened || (needsName && !mayRead)), keepPrevious: true },
  );
  const one = useCall(
    tenancyCalls.getTenancyDetails,
    { tenancyId: tenancyId ?? '' },
    { enabled: needsName && mayRead, staleTime: 60_000 },
  );
  const options = (list.data?.list ?? []).map(tenantChoice);
  const own = session && tenancyId === session.tenancyId && { value: session.tenancyId, label: session.tenancyName };
  const chosen = own || (one.data && needsName ? tenantChoice(one.data) : undefined);
  return toChoices(searching, list, options, chosen);
};

/** Tenants for the filter of a list; null if the user may not choose a tenant. */
export const useTenantFilter = (tenancyId: string | undefined): Choices | null => {
  const operator = usePlatformOperator();
  const mayList = useCan('tenancy:list');
  const offered = operator && mayList;
  const choices = useTenantChoices(offered ? tenancyId : undefined);
  return offered ? choices : null;
};

type RoleChoicesOptions = {
  /** Only roles of this tenant; if omitted, of all tenants visible to the user. */
  tenancyId?: string | undefined;
  /** The selected role, if the caller knows its name. */
  known?: Choice;
  /** For assigning a role: disables roles with menus that the user lacks, because the hub rejects assigning them. */
  forAssignment?: boolean;
};

export const useRoleChoices = (
  roleId: string | undefined,
  { tenancyId, known, forAssignment = false }: RoleChoicesOptions,
): Choices => {
  const operator = usePlatformOperator();
  const session = useSession();
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const needsName = known === undefined && roleId !== undefined && roleId !== '';
  const list = useCall(
    roleCalls.queryRoleList,
    { roleName: searchText, tenancyId: tenancyId ?? '', pageSize: SHOWN },
    { enabled: opened, keepPrevious: true },
  );
  const one = useCall(roleCalls.getRoleDetails, { roleId: roleId ?? '' }, { enabled: needsName && !opened });
  const choiceOf = (role: RoleRow): Choice => {
    const beyond = forAssignment && role.menus.some((menuId) => !session?.menus.has(menuId));
    const tenant = operator && tenancyId === undefined ? role.tenancyName : undefined;
    const hint = beyond ? i18next.t('role:beyondYours') : tenant;
    return { value: role.roleId, label: role.roleName, disabled: beyond, ...(hint === undefined ? {} : { hint }) };
  };
  const options = (list.data?.list ?? []).map(choiceOf);
  const chosen = known ?? (one.data && one.data.roleId === roleId ? choiceOf(one.data) : undefined);
  return toChoices(searching, list, options, chosen);
};

type CategoryChoicesOptions = {
  /** 1: only standard categories; 0: only custom ones. */
  standard?: 0 | 1 | undefined;
  tenancyId?: string | undefined;
};

export const useCategoryChoices = (
  categoryId: string | undefined,
  { standard, tenancyId }: CategoryChoicesOptions = {},
): Choices => {
  const operator = usePlatformOperator();
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const needsName = categoryId !== undefined && categoryId !== '';
  const list = useCall(
    categoryCalls.getCategoryList,
    { searchValue: searchText, standard: standard ?? '', tenancyId: tenancyId ?? '', pageSize: SHOWN },
    { enabled: opened, keepPrevious: true },
  );
  const one = useCall(
    categoryCalls.getCategoryDetails,
    { categoryId: categoryId ?? '' },
    { enabled: needsName, staleTime: 60_000 },
  );
  const choiceOf = (category: CategoryRow): Choice => {
    const kind = i18next.t(category.standard === 1 ? 'category:standard' : 'category:custom');
    const owner = operator && category.standard === 0 ? category.tenancyName : kind;
    const functions = category.propertyCount + category.serviceCount + category.eventCount;
    const hint =
      standard === undefined ? owner : i18next.t('category:functionTotal', { total: functions, count: functions });
    return { value: category.categoryId, label: category.categoryName, hint };
  };
  const options = (list.data?.list ?? []).map(choiceOf);
  const chosen = one.data && one.data.categoryId === categoryId ? choiceOf(one.data) : undefined;
  return toChoices(searching, list, options, chosen);
};

const applicationChoice = ({ applicationId, applicationName, enabled }: ApplicationRow): Choice => ({
  value: applicationId,
  label: applicationName,
  ...(enabled === 0 ? { hint: i18next.t('common:disabled') } : {}),
});

type ApplicationChoicesOptions = { tenancyId: string; known?: Choice | undefined };

/** Applications of one tenant. Needs the permission to list applications. */
export const useApplicationChoices = (
  applicationId: string | undefined,
  { tenancyId, known }: ApplicationChoicesOptions,
): Choices => {
  const mayList = useCan('application:list');
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const list = useCall(
    applicationCalls.queryApplicationList,
    { searchValue: searchText, tenancyId, pageSize: SHOWN },
    { enabled: mayList && opened, keepPrevious: true },
  );
  const options = (list.data?.list ?? []).map(applicationChoice);
  const chosen = known !== undefined && known.value === applicationId ? known : undefined;
  return toChoices(searching, list, options, chosen);
};

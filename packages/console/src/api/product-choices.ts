import { type NodeTypeId, type ProductRow, productCalls } from '@device-center/contract';
import { type Choice, type Choices, SHOWN, toChoices, useDebouncedSearch } from './choices.ts';
import { usePlatformOperator } from './platform-operator.ts';
import { useCan } from './session.ts';
import { useCall } from './use-call.ts';

type ProductChoicesOptions = {
  tenancyId?: string | undefined;
  /** Only products of this node type. */
  nodeType?: NodeTypeId | undefined;
  /** Returns the reason why a listed product is disabled. */
  blockedReason?: ((product: ProductRow) => string | undefined) | undefined;
};

/** Products by name or key, and the details of the selected one once they are loaded. */
export const useProductChoices = (
  productId: string | undefined,
  { tenancyId = '', nodeType, blockedReason }: ProductChoicesOptions = {},
): Choices & { product: ProductRow | undefined } => {
  const operator = usePlatformOperator();
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const list = useCall(
    productCalls.queryDeviceProductList,
    { searchValue: searchText, tenancyId, nodeType: nodeType ?? '', pageSize: SHOWN },
    { enabled: opened, keepPrevious: true },
  );
  const one = useCall(
    productCalls.getDeviceProductDetails,
    { productId: productId ?? '' },
    { enabled: productId !== undefined && productId !== '', staleTime: 60_000 },
  );
  const choiceOf = (product: ProductRow): Choice => {
    const { productId: value, productName, tenancyName } = product;
    const reason = blockedReason?.(product);
    const hint = reason ?? (operator ? tenancyName : value);
    return { value, label: productName, hint, disabled: reason !== undefined };
  };
  const product = one.data?.productId === productId ? one.data : undefined;
  const options = (list.data?.list ?? []).map(choiceOf);
  return { ...toChoices(searching, list, options, product && choiceOf(product)), product };
};

/** Initial product of a form: the requested one, else the only existing one, else ''. Undefined while loading. */
export const useFirstProduct = (requested: string | undefined): string | undefined => {
  const mayList = useCan('product:list');
  const { data, isLoading } = useCall(
    productCalls.queryDeviceProductList,
    { pageSize: 2 },
    { enabled: requested === undefined && mayList },
  );
  if (requested !== undefined) return requested;
  if (isLoading) return undefined;
  return data?.total === 1 ? (data.list[0]?.productId ?? '') : '';
};

import { type ProductRow, productCalls } from '@device-center/contract';
import { type Choice, type Choices, choicesOf, SHOWN, useSearching } from './choices.ts';
import { usePlatformOperator } from './platform-operator.ts';
import { useCall } from './use-call.ts';

/** Products by name or key, with the chosen one as a whole where it is known. */
export const useProductChoices = (
  productId: string | undefined,
  { tenancyId = '' }: { tenancyId?: string | undefined } = {},
): Choices & { product: ProductRow | undefined } => {
  const operator = usePlatformOperator();
  const searching = useSearching();
  const { opened, asked } = searching;
  const list = useCall(
    productCalls.queryDeviceProductList,
    { searchValue: asked, tenancyId, pageSize: SHOWN },
    { enabled: opened, keepPrevious: true },
  );
  const one = useCall(
    productCalls.getDeviceProductDetails,
    { productId: productId ?? '' },
    { enabled: productId !== undefined && productId !== '', staleTime: 60_000 },
  );
  const choiceOf = ({ productId: value, productName, tenancyName }: ProductRow): Choice => ({
    value,
    label: productName,
    hint: operator ? tenancyName : value,
  });
  const product = one.data?.productId === productId ? one.data : undefined;
  const options = (list.data?.list ?? []).map(choiceOf);
  return { ...choicesOf(searching, list, options, product && choiceOf(product)), product };
};

import { firmwareCalls, type VersionRow } from '@device-center/contract';
import { type Choice, type Choices, SHOWN, toChoices, useDebouncedSearch } from '../../api/choices.ts';
import { useCall } from '../../api/use-call.ts';

type Known = Pick<VersionRow, 'versionId' | 'versionNumber' | 'versionName' | 'productName'>;

/** Firmware versions by number or name, of one product or of all; then the hint is the product name. */
export const useVersionChoices = (
  chosen: Known | undefined,
  { productId, tenancyId = '' }: { productId: string; tenancyId?: string | undefined },
): Choices => {
  const searching = useDebouncedSearch();
  const { opened, searchText } = searching;
  const list = useCall(
    firmwareCalls.queryDeviceOtaVersionList,
    { searchValue: searchText, productId, tenancyId, pageSize: SHOWN },
    { enabled: opened, keepPrevious: true },
  );
  const choiceOf = ({ versionId, versionNumber, versionName, productName }: Known): Choice => ({
    value: versionId,
    label: versionNumber,
    hint: productId === '' ? productName : versionName,
  });
  const options = (list.data?.list ?? []).map(choiceOf);
  return toChoices(searching, list, options, chosen && choiceOf(chosen));
};

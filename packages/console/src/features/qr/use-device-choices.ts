import { deviceCalls } from '@device-center/contract';
import { type Choice, type Choices, SHOWN, toChoices, useDebouncedSearch } from '../../api/choices.ts';
import { useCall } from '../../api/use-call.ts';
import type { Labelled } from './content.ts';

const choiceOf = ({ deviceId, deviceName }: Pick<Labelled, 'deviceId' | 'deviceName'>): Choice => ({
  value: deviceId,
  label: deviceId,
  hint: deviceName,
});

/** Devices visible to the user, by id, name or MAC; the selected one first. */
export const useDeviceChoices = (chosen: Pick<Labelled, 'deviceId' | 'deviceName'>): Choices => {
  const searching = useDebouncedSearch();
  const list = useCall(
    deviceCalls.queryDeviceList,
    { searchValue: searching.searchText, pageSize: SHOWN },
    { enabled: searching.opened, keepPrevious: true },
  );
  return toChoices(searching, list, (list.data?.list ?? []).map(choiceOf), choiceOf(chosen));
};

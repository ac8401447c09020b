import type { Attention, FleetState } from '@device-center/contract';
import { Menu } from '@device-center/contract';
import { mayOpen, useCan, useSession } from '../../api/session.ts';
import { blackListPath, deviceListPath, devicePath, refusedListPath, taskListPath } from '../../paths.ts';
import { type PageTarget, pageTarget, type SearchOf } from '../../ui/routing.ts';
import type { deviceListSearch } from '../device/list/device-search.ts';
import type { taskListSearch } from '../ota/ota-search.ts';

/** States of tasks that ended with failed devices. */
const ENDED_WITH_FAILURES: SearchOf<typeof taskListSearch>['taskStatus'] = [6, 7];

/** The targets of links on this page; undefined if the role may not open them, so that no link fails. */
export const useTargets = (tenancyId: string | undefined) => {
  const session = useSession();
  const mayOpenDevice = useCan('device:list');
  const mayList = mayOpen([Menu.deviceList], session);
  const mayListTasks = mayOpen([Menu.updateMission], session);
  const mayListBlack = mayOpen([Menu.blackDeviceList], session);
  const deviceListTarget = (search: SearchOf<typeof deviceListSearch>) =>
    mayList ? pageTarget(deviceListPath, { ...search, tenancyId }) : undefined;
  return {
    device: (deviceId: string): PageTarget | undefined =>
      mayOpenDevice ? pageTarget(devicePath(deviceId), {}) : undefined,
    product: (productId: string) => deviceListTarget({ productId }),
    state: (state: FleetState): PageTarget | undefined => {
      if (state === 'online') return deviceListTarget({ online: 1 });
      if (state === 'offline') return deviceListTarget({ online: 2 });
      return state === 'blacklisted' && mayListBlack ? pageTarget(blackListPath, {}) : undefined;
    },
    attention: ({ kind, since }: Attention): PageTarget | undefined => {
      if (kind === 'failedUpgrades')
        return mayListTasks ? pageTarget(taskListPath, { taskStatus: ENDED_WITH_FAILURES, tenancyId }) : undefined;
      if (kind === 'lostMessages') return undefined;
      if (kind === 'offlineToday') return deviceListTarget({ online: 2, presenceSince: since });
      return mayList ? pageTarget(refusedListPath, { tenancyId }) : undefined;
    },
  };
};
export type Targets = ReturnType<typeof useTargets>;

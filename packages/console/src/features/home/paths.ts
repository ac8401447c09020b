import type { Attention, FleetState } from '@device-center/contract';
import { Menu } from '@device-center/contract';
import { mayOpen, useCan, useSession } from '../../api/session.ts';
import { blackListPath, deviceListPath, devicePath, refusedListPath, taskListPath } from '../../paths.ts';

/** States of tasks that ended with failed devices. */
const ENDED_WITH_FAILURES = '6,7';

export type Target = { to: string; search: Record<string, string | number | undefined> };

/** The targets of links on this page; undefined if the role may not open them, so that no link fails. */
export const useTargets = (tenancyId: string | undefined) => {
  const session = useSession();
  const mayOpenDevice = useCan('device:list');
  const mayList = mayOpen([Menu.deviceList], session);
  const mayListTasks = mayOpen([Menu.updateMission], session);
  const mayListBlack = mayOpen([Menu.blackDeviceList], session);
  const deviceListTarget = (search: Target['search']): Target | undefined =>
    mayList ? { to: deviceListPath, search: { ...search, tenancyId } } : undefined;
  return {
    device: (deviceId: string): Target | undefined =>
      mayOpenDevice ? { to: devicePath(deviceId), search: {} } : undefined,
    product: (productId: string) => deviceListTarget({ productId }),
    state: (state: FleetState): Target | undefined => {
      if (state === 'online') return deviceListTarget({ online: 1 });
      if (state === 'offline') return deviceListTarget({ online: 2 });
      return state === 'blacklisted' && mayListBlack ? { to: blackListPath, search: {} } : undefined;
    },
    attention: ({ kind, since }: Attention): Target | undefined => {
      if (kind === 'failedUpgrades')
        return mayListTasks ? { to: taskListPath, search: { taskStatus: ENDED_WITH_FAILURES, tenancyId } } : undefined;
      if (kind === 'lostMessages') return undefined;
      if (kind === 'offlineToday') return deviceListTarget({ online: 2, presenceSince: since });
      return mayList ? { to: refusedListPath, search: { tenancyId } } : undefined;
    },
  };
};
export type Targets = ReturnType<typeof useTargets>;

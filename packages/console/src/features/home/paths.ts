import type { Attention, FleetState } from '@device-center/contract';
import { Menu } from '@device-center/contract';
import { mayOpen, useCan, useSession } from '../../api/session.ts';
import { blackListPath, deviceListPath, devicePath, refusedListPath, taskListPath } from '../../paths.ts';

/** Tasks that ended with devices that failed. */
const ENDED_BADLY = '6,7';

export type Target = { to: string; search: Record<string, string | number | undefined> };

/** Where this page can lead; undefined where the role may not go, so that no link is dead. */
export const useTargets = (tenancyId: string | undefined) => {
  const session = useSession();
  const mayOpenDevice = useCan('device:list');
  const mayList = mayOpen([Menu.deviceList], session);
  const mayListTasks = mayOpen([Menu.updateMission], session);
  const mayListBlack = mayOpen([Menu.blackDeviceList], session);
  const listed = (search: Target['search']): Target | undefined =>
    mayList ? { to: deviceListPath, search: { ...search, tenancyId } } : undefined;
  return {
    device: (deviceId: string): Target | undefined =>
      mayOpenDevice ? { to: devicePath(deviceId), search: {} } : undefined,
    product: (productId: string) => listed({ productId }),
    state: (state: FleetState): Target | undefined => {
      if (state === 'online') return listed({ online: 1 });
      if (state === 'offline') return listed({ online: 2 });
      return state === 'blacklisted' && mayListBlack ? { to: blackListPath, search: {} } : undefined;
    },
    attention: ({ kind, since }: Attention): Target | undefined => {
      if (kind === 'failedUpgrades')
        return mayListTasks ? { to: taskListPath, search: { taskStatus: ENDED_BADLY, tenancyId } } : undefined;
      if (kind === 'lostMessages') return undefined;
      if (kind === 'offlineToday') return listed({ online: 2, presenceSince: since });
      return mayList ? { to: refusedListPath, search: { tenancyId } } : undefined;
    },
  };
};
export type Targets = ReturnType<typeof useTargets>;

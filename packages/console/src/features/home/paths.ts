import type { Attention, FleetState } from '@device-center/contract';
import { Menu } from '@device-center/contract';
import { mayOpen, useCan, useSession } from '../../api/session.ts';

/** Pages of other slices, by address: a slice imports no other. */
const DEVICE_LIST = '/productConfig/deviceList';
const BLACK_LIST = '/productConfig/blackDeviceList';
const REFUSED_LIST = '/productConfig/refusedList';
const TASK_LIST = '/OTAUpdate/updateMission';
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
    mayList ? { to: DEVICE_LIST, search: { ...search, tenancyId } } : undefined;
  return {
    device: (deviceId: string): Target | undefined =>
      mayOpenDevice ? { to: `/detail/detailDevice/${encodeURIComponent(deviceId)}`, search: {} } : undefined,
    product: (productId: string) => listed({ productId }),
    state: (state: FleetState): Target | undefined => {
      if (state === 'online') return listed({ online: 1 });
      if (state === 'offline') return listed({ online: 2 });
      return state === 'blacklisted' && mayListBlack ? { to: BLACK_LIST, search: {} } : undefined;
    },
    attention: ({ kind, since }: Attention): Target | undefined => {
      if (kind === 'failedUpgrades')
        return mayListTasks ? { to: TASK_LIST, search: { taskStatus: ENDED_BADLY, tenancyId } } : undefined;
      if (kind === 'offlineToday') return listed({ online: 2, presenceSince: since });
      return mayList ? { to: REFUSED_LIST, search: { tenancyId } } : undefined;
    },
  };
};
export type Targets = ReturnType<typeof useTargets>;

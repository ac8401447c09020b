import { apiKeyCalls, controlCalls, zoneCalls } from '@device-center/contract';
import type { Hub } from '../packages/server/test/hub.ts';

export type ZoneScreenIds = { innerZoneId: number; outerZoneId: number };

type Owner = { tenancyId: string; applicationId: string; roleId: string; deviceId: string };

/** A zone with two brokers that do not answer, a zone of another platform, and an API key of each common kind. */
export const seedZones = async (
  hub: Hub,
  { tenancyId, applicationId, roleId, deviceId }: Owner,
): Promise<ZoneScreenIds> => {
  const broker = { hostName: 'mq-1.plant.invalid', port: 8883, serverType: 1, username: 'device-center', tls: 1 };
  const { id: innerZoneId } = await hub.admin.ok(zoneCalls.addZone, {
    zoneName: '华东一号工厂 / East plant',
    zoneType: 1,
    routeKey: 'plant-east-1',
    address: 'mq.plant.example:8883',
    isSyncModel: 1,
    syncAll: 1,
    nodes: JSON.stringify([
      { ...broker, password: 'Broker-pass1' },
      { ...broker, hostName: 'mq-2.plant.invalid' },
    ]),
  });
  const { id: outerZoneId } = await hub.admin.ok(zoneCalls.addZone, {
    zoneName: '集团平台',
    zoneType: 2,
    routeKey: 'group',
    address: 'platform.group.example',
    isSyncModel: 0,
    syncAll: 1,
    status: 0,
    nodes: JSON.stringify([{ bucketUrl: 'https://platform.group.invalid', bucketZoneId: 12 }]),
  });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: innerZoneId });
  await hub.admin.ok(apiKeyCalls.addApiKey, {
    keyName: '夜间报表',
    roleId,
    tenancyId,
    expireTime: Date.now() + 5 * 86_400_000,
  });
  await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: 'group-sync', scope: 'sync', applicationId, tenancyId });
  return { innerZoneId, outerZoneId };
};

export const zoneScreensOf = ({ innerZoneId, outerZoneId }: ZoneScreenIds): Record<string, string> => ({
  zoneList: '/avaConfig/availableList',
  zoneListNoMatch: '/avaConfig/availableList?zoneName=nothing-like-this',
  zoneAdd: '/add/addAvaild',
  zoneEdit: `/add/addAvaild?id=${innerZoneId}`,
  zoneEditOuter: `/add/addAvaild?id=${outerZoneId}`,
  zoneDetail: `/detail/detailAvaild/${innerZoneId}`,
  zoneDetailOuter: `/detail/detailAvaild/${outerZoneId}`,
  zoneDetailBuiltIn: '/detail/detailAvaild/2',
  zoneMissing: '/detail/detailAvaild/99999999',
  deviceListOfZone: `/productConfig/deviceList?haZoneId=${innerZoneId}`,
  apiKeyList: '/systemConfig/apiKeyList',
  apiKeyListNoMatch: '/systemConfig/apiKeyList?keyName=nothing-like-this',
});

/** Topic prefix of the hub's own MQTT server; each zone has its own. */
export const ROUTE_KEY = 'dc';

export type TopicOwner = { routeKey: string; tenancyId: string; productId: string; deviceId: string };

export const upTopic = ({ routeKey, tenancyId, productId, deviceId }: TopicOwner): string =>
  `${routeKey}/${tenancyId}/${productId}/${deviceId}/up`;

export const downTopic = ({ routeKey, tenancyId, productId, deviceId }: TopicOwner): string =>
  `${routeKey}/${tenancyId}/${productId}/${deviceId}/down`;

/** Topic filter for the uplink of all devices. */
export const upFilter = (routeKey: string): string =>
  upTopic({ routeKey, tenancyId: '+', productId: '+', deviceId: '+' });

/** Parses an uplink topic. Ids contain no slash, so the last four levels are unambiguous. */
export const readUpTopic = (topic: string): TopicOwner | null => {
  const parts = topic.split('/');
  const routeKey = parts.slice(0, -4).join('/');
  const [tenancyId, productId, deviceId, direction] = parts.slice(-4);
  if (!routeKey || !tenancyId || !productId || !deviceId || direction !== 'up') return null;
  return { routeKey, tenancyId, productId, deviceId };
};

/** The hub's own prefix; a zone's broker has its own. */
export const ROUTE_KEY = 'dc';

export type TopicOwner = { routeKey: string; tenancyId: string; productId: string; deviceId: string };

export const upTopic = ({ routeKey, tenancyId, productId, deviceId }: TopicOwner): string =>
  `${routeKey}/${tenancyId}/${productId}/${deviceId}/up`;

export const downTopic = ({ routeKey, tenancyId, productId, deviceId }: TopicOwner): string =>
  `${routeKey}/${tenancyId}/${productId}/${deviceId}/down`;

/** Whose up topic this is; none of ids holds a slash, so the five parts are unmistakable. */
export const readUpTopic = (topic: string): TopicOwner | null => {
  const [routeKey, tenancyId, productId, deviceId, direction, ...more] = topic.split('/');
  if (!routeKey || !tenancyId || !productId || !deviceId || direction !== 'up' || more.length > 0) return null;
  return { routeKey, tenancyId, productId, deviceId };
};

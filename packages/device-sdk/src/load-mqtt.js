/**
 * Only when a device connects: a page that shows no device does not load it. Not in TypeScript, since the library's
 * types bring Node's with them, and with those everything here would compile that only Node has.
 */
export const loadMqtt = () => import('mqtt');

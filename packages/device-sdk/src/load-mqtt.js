/**
 * Loads MQTT.js on the first connect, so that a page without a device does not download it. Plain JavaScript: the
 * library's types pull in those of Node, and the compiler would then accept Node APIs that a browser lacks.
 */
export const loadMqtt = () => import('mqtt');

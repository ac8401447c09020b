import { startGateway } from './mqtt/gateway.ts';
import { createLog } from './platform/log.ts';
import { readSettings } from './platform/settings.ts';
import { createSide } from './platform/side.ts';

/** The device side: the gateway that devices connect to, in a process of its own so that no slow list delays it. */
const settings = readSettings(process.env);
const log = createLog('device', settings.LOG_LEVEL);
const side = createSide(log);

const gateway = await startGateway({ host: settings.HOST, port: settings.MQTT_PORT, log }).catch((error: unknown) =>
  side.cannotListen('MQTT_PORT', settings.MQTT_PORT, error),
);
side.onStop(gateway.stop);
side.ready(gateway.port);

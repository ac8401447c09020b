import { connect, connectRecords } from './db/connect.ts';
import { createDeviceLogin } from './features/bucket/device-login.ts';
import { createAdmit } from './features/link/admit.ts';
import { createCommands } from './features/link/commands.ts';
import { createCuts } from './features/link/cuts.ts';
import { createDownward } from './features/link/downward.ts';
import { createIntake } from './features/link/intake.ts';
import { createLease, takeHubNo } from './features/link/lease.ts';
import { createModels } from './features/link/models.ts';
import { createPeers } from './features/link/peers.ts';
import { createPresence } from './features/link/presence.ts';
import { createServe } from './features/link/serve.ts';
import { createUpgrades } from './features/link/upgrades.ts';
import { createUplink } from './features/link/uplink.ts';
import { startGateway } from './mqtt/gateway.ts';
import { startJobs } from './platform/jobs.ts';
import { createLog } from './platform/log.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { readSettings } from './platform/settings.ts';
import { createSide } from './platform/side.ts';
import { readTlsFiles } from './platform/tls-files.ts';
import { refusalRow } from './records/refusals.ts';
import { openRecordStore } from './records/store.ts';

/** The device side: the gateway that devices connect to, in a process of its own so that no slow list delays it. */
const settings = readSettings(process.env);
const log = createLog('device', settings.LOG_LEVEL);
const side = createSide(log);
const secrets = createSecretBox(settings);
const db = connect(settings);
const records = connectRecords(settings);
const store = openRecordStore(settings);

const hubNo = await takeHubNo(db);
const peers = createPeers();
const intake = createIntake(store, hubNo, log, () => side.hints.send('record'));
const refuse = (refusal: Parameters<typeof refusalRow>[0]): void => intake.keepConnect(refusalRow(refusal));
const downward = createDownward(intake);
const presence = createPresence({ db, hubNo, intake, log });

const models = createModels(db, (productId) => {
  for (const peer of peers.all())
    for (const speaker of [peer, ...peer.children.values()])
      if (speaker.productId === productId) downward.tellChanged(peer, speaker, 'model');
});

const tokenLifeMs = settings.DEVICE_TOKEN_LIFE;
const deviceLogin = createDeviceLogin({ db, secrets, tokenLifeMs, refuse });
const upgrades = createUpgrades({ db, log, upgradeHint: () => side.hints.send('upgrade') });
const serve = createServe({
  db,
  secrets,
  models,
  peers,
  presence,
  downward,
  deviceLogin,
  upgrades,
  tokenLifeMs,
  log,
});
const commands = createCommands({ db, hubNo, peers, downward, log, answerHint: () => side.hints.send('answer') });
const cuts = createCuts({ db, peers, presence, commands, downward });
const uplink = createUplink({
  models,
  intake,
  downward,
  serve,
  answered: commands.answered,
  upgradeReported: upgrades.reported,
});

const admit = createAdmit({
  ordersTaken: cuts.taken,
  db,
  secrets,
  peers,
  models,
  log,
  refuse,
  take: uplink.take,
  connected: presence.connected,
  disconnected: presence.disconnected,
});

const cutAll = (): void => {
  for (const peer of [...peers.all()]) peer.connection.cut('hubStopped', 'the hub lost its lease');
};
const lease = createLease({ db, records, hubNo, log, lost: cutAll });
await lease.reap(!settings.DATABASE_URL);

const cutExpired = async (): Promise<void> => {
  const now = Date.now();
  for (const peer of [...peers.all()]) {
    if (peer.tokenExpiresAt <= now) peer.connection.cut('tokenExpired');
    for (const child of [...peer.children.values()]) {
      if (child.tokenExpiresAt > now) continue;
      peers.unmount(child.deviceId);
      presence.childDisconnected(child, peer, 'tokenExpired');
    }
  }
};

const tls = readTlsFiles(settings);
const gateway = await startGateway({
  host: settings.HOST,
  port: settings.MQTT_PORT,
  admit,
  log,
  ...(tls ? { tls } : {}),
  ...(process.env.DEVICE_SOCKET ? { socketPath: process.env.DEVICE_SOCKET } : {}),
}).catch((error: unknown) => side.cannotListen('MQTT_PORT', settings.MQTT_PORT, error));

const jobs = startJobs(log, [
  { name: 'look for commands', everyMs: 500, run: commands.look },
  { name: 'look for cuts', everyMs: 500, run: cuts.look },
  { name: 'look for changed models', everyMs: 1_000, run: models.checkForChanges },
  { name: 'renew the lease', everyMs: lease.renewMs, run: lease.renew },
  { name: 'reap dead hubs', everyMs: lease.renewMs, run: () => lease.reap() },
  { name: 'cut expired tokens', everyMs: 1_000, run: cutExpired },
  { name: 'time out commands', everyMs: 5_000, run: commands.sweep },
  { name: 'sweep cuts', everyMs: 60_000, run: cuts.sweep },
]);
const onHint = (work: () => Promise<void>) => () =>
  void work().catch((error: unknown) => log.warn({ err: error }, 'looking failed'));
side.hints.on('command', onHint(commands.look));
side.hints.on('cut', onHint(cuts.look));
side.hints.on('model', onHint(models.checkForChanges));

side.onStop(async () => {
  await gateway.stop();
  await jobs.stop();
  await presence.stop(3_000);
  await intake.stop(5_000);
  await lease.give().catch(() => undefined);
  await store.close();
  await Promise.all([db.destroy(), records.destroy()]);
});
side.ready(gateway.port, gateway.tlsPort);

import { acquireHubNo } from './db/hub-lease.ts';
import { lostMessages } from './db/lost-messages.ts';
import { createDeviceLogin } from './features/bucket/device-login.ts';
import { createConnectAuthorizer } from './features/connectivity/authorize-connect.ts';
import { createCommands } from './features/connectivity/commands.ts';
import { createPeers } from './features/connectivity/connection-registry.ts';
import { createDownward } from './features/connectivity/downlink.ts';
import { createIntake } from './features/connectivity/ingest.ts';
import { createInstructionHandler } from './features/connectivity/instructions.ts';
import { createKick } from './features/connectivity/kick-notice.ts';
import { createLease } from './features/connectivity/lease.ts';
import { createModels } from './features/connectivity/model-cache.ts';
import { createPresence } from './features/connectivity/presence.ts';
import { createProveSecret } from './features/connectivity/prove-secret.ts';
import { createPace } from './features/connectivity/rate-limit.ts';
import { createServe } from './features/connectivity/request-handler.ts';
import { createMoved } from './features/connectivity/takeovers.ts';
import { createUpgrades } from './features/connectivity/upgrade-reports.ts';
import { createUplink } from './features/connectivity/uplink.ts';
import { createZones } from './features/connectivity/zones/zones.ts';
import { createDrain } from './http/drain.ts';
import { startMqttServer } from './mqtt/mqtt-server.ts';
import { startJobs } from './platform/jobs.ts';
import { listeningPlace } from './platform/listen-address-id.ts';
import { ListenError } from './platform/listen-error.ts';
import type { DeviceFigures } from './platform/metrics.ts';
import { createOutward } from './platform/outbound/outward.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { followTlsFiles, readTlsFiles } from './platform/tls-files.ts';
import { trustedAddresses } from './platform/trusted-proxies.ts';
import { seedSequence } from './records/continue-numbers.ts';
import { refusalRow } from './records/rejections.ts';
import { openRecordStore } from './records/store.ts';
import { noteLostMessages } from './records/stored-mark.ts';
import type { ProcessDeps, RunningProcess } from './run-process.ts';

/** The device process: the MQTT gateway that devices connect to, apart from HTTP so that no slow list delays it. */
export const createDeviceProcess = async ({
  settings,
  databases: { db, records },
  log,
  channel,
  deviceSocket,
  onLeaseExpired,
}: ProcessDeps): Promise<RunningProcess> => {
  const secrets = createSecretBox(settings);
  const store = openRecordStore(settings);

  const hubNo = await acquireHubNo(db);
  await seedSequence(records, log);
  if (!settings.DATABASE_URL) await noteLostMessages(records, settings.DATA_DIR, log);
  const peers = createPeers();
  const intake = createIntake(store, hubNo, { log, committed: () => channel.hints.send('record') });
  const refuse = (refusal: Parameters<typeof refusalRow>[0]): void => intake.addConnectionEvent(refusalRow(refusal));
  const downward = createDownward(intake);
  const moved = createMoved({ db, hubNo, peers, presence: () => presence });
  const presence = createPresence({
    db,
    hubNo,
    intake,
    log,
    movedHint: () => channel.hints.send('cut'),
    overtaken: moved.overtaken,
  });

  const models = createModels(db, log, (productId) => {
    for (const peer of peers.all())
      for (const speaker of [peer, ...peer.children.values()])
        if (speaker.productId === productId) downward.notifyChanged(peer, speaker, 'model');
    zones.modelChanged(productId).catch((error: unknown) => log.warn({ err: error }, 'a zone was not told of a model'));
  });

  const tokenLifeMs = settings.DEVICE_TOKEN_LIFE;
  const deviceLogin = createDeviceLogin({ db, secrets, tokenLifeMs, refuse, log });
  const upgrades = createUpgrades({ db, log, upgradeHint: () => channel.hints.send('upgrade') });
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
  const tellKick = createKick({ db, downward });
  const commands = createCommands({
    db,
    hubNo,
    peers,
    zones: { linked: () => zones.linked(), find: (deviceId, speakerId) => zones.find(deviceId, speakerId) },
    downward,
    log,
    answerHint: () => channel.hints.send('answer'),
  });
  const cuts = createInstructionHandler({
    db,
    peers,
    presence,
    tellKick,
    downward,
    inZones: (order) => zones.carryOut(order),
  });
  const prove = createProveSecret({ db, log });
  const zones = await createZones({
    db,
    records,
    secrets,
    hubNo,
    outward: createOutward(settings, { ownPorts: () => [gateway.port, gateway.tlsPort] }),
    models,
    intake,
    downward,
    commands,
    tellKick,
    deviceLogin,
    upgrades,
    tokenLifeMs,
    keepAliveMs: settings.ZONE_KEEP_ALIVE,
    log,
    answered: commands.answered,
    commandedBy: commands.commandedBy,
    prove,
    upgradeReported: upgrades.reported,
  });
  const uplink = createUplink({
    models,
    intake,
    downward,
    serve,
    answered: commands.answered,
    commandedBy: commands.commandedBy,
    prove,
    upgradeReported: upgrades.reported,
  });

  const pace = createPace({ db, records });
  await pace.look();
  const admit = createConnectAuthorizer({
    ordersTaken: cuts.taken,
    db,
    secrets,
    peers,
    models,
    log,
    refuse,
    pace,
    take: uplink.take,
    connected: presence.connected,
    disconnected: presence.disconnected,
  });

  const cutAll = (): void => {
    for (const peer of [...peers.all()]) peer.connection.cut('hubStopped', 'the hub lost its lease');
  };
  const shared = Boolean(settings.DATABASE_URL);
  const lease = createLease({ db, records, hubNo, shared, log, lost: cutAll, buried: onLeaseExpired });
  await lease.reap(true);

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
  const gateway = await startMqttServer({
    host: settings.HOST,
    port: settings.MQTT_PORT === 'off' ? null : settings.MQTT_PORT,
    admit,
    log,
    limits: {
      connections: settings.MQTT_CONNECTIONS,
      pendingPerAddress: settings.MQTT_PENDING_PER_ADDRESS,
      failedPerAddress: settings.MQTT_FAILED_PER_ADDRESS,
    },
    isProxy: trustedAddresses(settings.TRUST_PROXY),
    ...(tls ? { tls } : {}),
    ...(deviceSocket ? { socketPath: deviceSocket } : {}),
  }).catch((error: unknown) => {
    const { MQTT_PORT, MQTTS_PORT } = settings;
    const isTls = MQTT_PORT === 'off' || (tls && (error as { port?: number }).port === tls.port);
    throw isTls ? new ListenError('MQTTS_PORT', MQTTS_PORT, error) : new ListenError('MQTT_PORT', MQTT_PORT, error);
  });
  await lease.inherit(listeningPlace(gateway.address, gateway.port ?? gateway.tlsPort ?? 0));
  const tlsFiles = tls && followTlsFiles(settings, { loaded: tls, log, replace: gateway.replaceCertificate });

  const { n: lost } = await lostMessages(records);
  const figures = (): DeviceFigures => {
    const { connections, waitingMessages, waitingBytes, refused } = gateway.stats();
    const linked = new Set(zones.linked());
    return {
      connections,
      messages: intake.kept(),
      refusedConnections: refused,
      waitingMessages,
      waitingBytes,
      zones: Object.fromEntries(zones.wanted().map((zoneId) => [zoneId, linked.has(zoneId) ? 1 : 0])),
      recordsWritable: intake.isWritable() ? 1 : 0,
      lostMessages: lost,
      commandsSent: commands.counts().sent,
      commands: commands.counts().results,
      upgrades: upgrades.results(),
      ...pace.figures(),
    };
  };

  // A hint runs these at once; the clock is for a hint that was lost.
  const pollMs = channel.hintsOn ? 2_000 : 500;
  const jobs = startJobs(log, [
    ...(tlsFiles ? [{ name: 'check certificate files', everyMs: 5_000, run: async () => tlsFiles.check() }] : []),
    { name: 'tell figures', everyMs: 2_000, run: async () => channel.sendFigures(figures()) },
    { name: 'look for commands', everyMs: pollMs, run: commands.look },
    { name: 'look for cuts', everyMs: pollMs, run: cuts.look },
    { name: 'look for moved connections', everyMs: pollMs, run: moved.look },
    { name: 'look for changed models', everyMs: pollMs, run: models.checkForChanges },
    { name: 'renew the lease', everyMs: lease.renewMs, run: lease.renew },
    { name: 'reap dead hubs', everyMs: lease.renewMs, run: () => lease.reap() },
    { name: 'cut expired tokens', everyMs: 1_000, run: cutExpired },
    { name: 'look for quotas', everyMs: 5_000, run: pace.look },
    { name: 'time out commands', everyMs: 5_000, run: commands.sweep },
    { name: 'look for zones', everyMs: pollMs, run: zones.look },
    { name: 'watch zones', everyMs: 2_000, run: zones.watch },
    { name: 'end expired tokens in zones', everyMs: 10_000, run: zones.endExpired },
    { name: 'ask silent devices in zones', everyMs: 1_000, run: zones.probeSilent },
    { name: 'sweep zones', everyMs: 10_000, run: zones.sweep },
    { name: 'sweep cuts', everyMs: 60_000, run: cuts.sweep },
    { name: 'sweep moved connections', everyMs: 60_000, run: moved.sweep },
  ]);
  const onHint = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, 'looking failed'));
  channel.hints.on('command', onHint(commands.look));
  channel.hints.on('cut', onHint(cuts.look));
  channel.hints.on('cut', onHint(moved.look));
  channel.hints.on('model', onHint(models.checkForChanges));
  channel.hints.on('zone', onHint(zones.look));
  channel.hints.on('quota', onHint(pace.look));

  // Loaded on demand: it brings Fastify along.
  const drain = createDrain(log);
  const openHttp = async () =>
    (await import('./device-http.ts')).openDeviceHttp({
      ...{ settings, log, db, deviceSocket, figures },
      isDraining: drain.isDraining,
    });
  const http = settings.PROCESSES === 'device' ? await openHttp() : undefined;

  const stop = async (): Promise<void> => {
    await http?.close();
    await gateway.stop();
    await jobs.stop();
    await zones.stop(5_000).catch(() => undefined);
    await presence.stop(3_000);
    await intake.stop(5_000);
    await lease.give().catch(() => undefined);
    await store.close();
    await Promise.all([db.destroy(), records.destroy()]);
  };
  return {
    port: gateway.port,
    tlsPort: gateway.tlsPort,
    ...(http ? { drain: drain.begin } : {}),
    ...(tlsFiles ? { reload: tlsFiles.reload } : {}),
    runJob: jobs.run,
    stop,
  };
};

import { acquireHubNo } from './db/hub-lease.ts';
import { createDeviceLogin } from './features/bucket/device-login.ts';
import { createConnectAuthorizer } from './features/connectivity/authorize-connect.ts';
import { createCommands } from './features/connectivity/commands.ts';
import { createConnectionRegistry } from './features/connectivity/connection-registry.ts';
import { createDownlink } from './features/connectivity/downlink.ts';
import { createIngest } from './features/connectivity/ingest.ts';
import { createInstructionHandler } from './features/connectivity/instructions.ts';
import { createKickNotice } from './features/connectivity/kick-notice.ts';
import { createLease } from './features/connectivity/lease.ts';
import { createModelCache } from './features/connectivity/model-cache.ts';
import { createPresence } from './features/connectivity/presence.ts';
import { createRateLimits } from './features/connectivity/rate-limit.ts';
import { createRequestHandler } from './features/connectivity/request-handler.ts';
import { createSecretProof } from './features/connectivity/secret-proof.ts';
import { createTakeovers } from './features/connectivity/takeovers.ts';
import { createUpgradeReports } from './features/connectivity/upgrade-reports.ts';
import { createUplink } from './features/connectivity/uplink.ts';
import { createZones } from './features/connectivity/zones/zones.ts';
import { createDrain } from './http/drain.ts';
import { startMqttServer } from './mqtt/mqtt-server.ts';
import { startJobs } from './platform/jobs.ts';
import { listenAddressId } from './platform/listen-address-id.ts';
import { ListenError } from './platform/listen-error.ts';
import type { DeviceStats } from './platform/metrics.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { followTlsFiles, readTlsFiles } from './platform/tls-files.ts';
import { trustedAddresses } from './platform/trusted-proxies.ts';
import { lostMessages } from './records/lost-messages.ts';
import { rejectionRow } from './records/rejections.ts';
import { seedSequence } from './records/seed-sequence.ts';
import { openRecordStore } from './records/store.ts';
import { reportLostMessages } from './records/stored-count.ts';
import type { ProcessDeps, RunningProcess } from './run-process.ts';

/** The device process: the MQTT server for devices, separate from HTTP so that slow lists do not delay it. */
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
  if (!settings.DATABASE_URL) await reportLostMessages(records, settings.DATA_DIR, log);
  const connections = createConnectionRegistry();
  const ingest = createIngest(store, hubNo, { log, committed: () => channel.notifier.send('record') });
  const recordRejection = (rejection: Parameters<typeof rejectionRow>[0]): void =>
    ingest.addConnectionEvent(rejectionRow(rejection));
  const downlink = createDownlink(ingest);
  const takeovers = createTakeovers({ db, hubNo, connections, presence: () => presence });
  const presence = createPresence({
    db,
    hubNo,
    ingest,
    log,
    notifyTakeover: () => channel.notifier.send('instruction'),
    onSuperseded: takeovers.onSuperseded,
  });

  const models = createModelCache(db, log, (productId) => {
    for (const connection of connections.all())
      for (const session of [connection, ...connection.children.values()])
        if (session.productId === productId) downlink.notifyChanged(connection, session, 'model');
    zones.modelChanged(productId).catch((error: unknown) => log.warn({ err: error }, 'zone model notification failed'));
  });

  const tokenLifeMs = settings.DEVICE_TOKEN_LIFE;
  const deviceLogin = createDeviceLogin({ db, secrets, tokenLifeMs, recordRejection, log });
  const upgrades = createUpgradeReports({ db, log, notifyUpgrade: () => channel.notifier.send('upgrade') });
  const handleRequest = createRequestHandler({
    db,
    secrets,
    models,
    connections,
    presence,
    downlink,
    deviceLogin,
    upgrades,
    tokenLifeMs,
    log,
  });
  const sendKickNotice = createKickNotice({ db, downlink });
  const commands = createCommands({
    db,
    hubNo,
    connections,
    zones: { linked: () => zones.linked(), find: (deviceId, senderId) => zones.find(deviceId, senderId) },
    downlink,
    log,
    notifyAnswered: () => channel.notifier.send('answer'),
  });
  const instructions = createInstructionHandler({
    db,
    connections,
    presence,
    sendKickNotice,
    downlink,
    executeInZones: (order) => zones.execute(order),
  });
  const recordSecretProof = createSecretProof({ db, log });
  const zones = await createZones({
    db,
    records,
    secrets,
    hubNo,
    outbound: createOutbound(settings, { ownPorts: () => [mqttServer.port, mqttServer.tlsPort] }),
    models,
    ingest,
    downlink,
    commands,
    sendKickNotice,
    deviceLogin,
    upgrades,
    tokenLifeMs,
    keepAliveMs: settings.ZONE_KEEP_ALIVE,
    log,
    onResponse: commands.onResponse,
    commandedFunction: commands.commandedFunction,
    recordSecretProof,
    upgradeReported: upgrades.reported,
  });
  const uplink = createUplink({
    models,
    ingest,
    downlink,
    handleRequest,
    onResponse: commands.onResponse,
    commandedFunction: commands.commandedFunction,
    recordSecretProof,
    upgradeReported: upgrades.reported,
  });

  const rateLimits = createRateLimits({ db, records });
  await rateLimits.refresh();
  const authorizeConnect = createConnectAuthorizer({
    instructionCount: instructions.executedCount,
    db,
    secrets,
    connections,
    models,
    log,
    recordRejection,
    rateLimits,
    handle: uplink.handle,
    connected: presence.connected,
    disconnected: presence.disconnected,
  });

  const disconnectAll = (): void => {
    for (const connection of [...connections.all()])
      connection.client.disconnect('hubStopped', 'the hub lost its lease');
  };
  const shared = Boolean(settings.DATABASE_URL);
  const lease = createLease({ db, records, hubNo, shared, log, onOverdue: disconnectAll, onExpired: onLeaseExpired });
  await lease.expireStaleHubs(true);

  const disconnectExpired = async (): Promise<void> => {
    const now = Date.now();
    for (const connection of [...connections.all()]) {
      if (connection.tokenExpiresAt <= now) connection.client.disconnect('tokenExpired');
      for (const child of [...connection.children.values()]) {
        if (child.tokenExpiresAt > now) continue;
        connections.detachChild(child.deviceId);
        presence.childDisconnected(child, connection, 'tokenExpired');
      }
    }
  };

  const tls = readTlsFiles(settings);
  const mqttServer = await startMqttServer({
    host: settings.HOST,
    port: settings.MQTT_PORT === 'off' ? null : settings.MQTT_PORT,
    authorize: authorizeConnect,
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
  await lease.takeOverAddress(listenAddressId(mqttServer.address, mqttServer.port ?? mqttServer.tlsPort ?? 0));
  const tlsFiles = tls && followTlsFiles(settings, { loaded: tls, log, replace: mqttServer.replaceCertificate });

  const { n: lost } = await lostMessages(records);
  const stats = (): DeviceStats => {
    const { connections, waitingMessages, waitingBytes, refused } = mqttServer.stats();
    const linked = new Set(zones.linked());
    return {
      connections,
      messages: ingest.processed(),
      refusedConnections: refused,
      waitingMessages,
      waitingBytes,
      zones: Object.fromEntries(zones.expected().map((zoneId) => [zoneId, linked.has(zoneId) ? 1 : 0])),
      recordsWritable: ingest.isWritable() ? 1 : 0,
      lostMessages: lost,
      commandsSent: commands.counts().sent,
      commands: commands.counts().results,
      upgrades: upgrades.results(),
      ...rateLimits.stats(),
    };
  };

  // Notifications run these jobs at once; the interval is for lost ones.
  const pollMs = channel.notificationsOn ? 2_000 : 500;
  const jobs = startJobs(log, [
    ...(tlsFiles ? [{ name: 'check certificate files', everyMs: 5_000, run: async () => tlsFiles.check() }] : []),
    { name: 'send stats', everyMs: 2_000, run: async () => channel.sendStats(stats()) },
    { name: 'poll commands', everyMs: pollMs, run: commands.poll },
    { name: 'poll device instructions', everyMs: pollMs, run: instructions.poll },
    { name: 'poll connection takeovers', everyMs: pollMs, run: takeovers.poll },
    { name: 'poll changed models', everyMs: pollMs, run: models.checkForChanges },
    { name: 'renew hub lease', everyMs: lease.renewMs, run: lease.renew },
    { name: 'expire stale hubs', everyMs: lease.renewMs, run: () => lease.expireStaleHubs() },
    { name: 'disconnect expired tokens', everyMs: 1_000, run: disconnectExpired },
    { name: 'poll quotas', everyMs: 5_000, run: rateLimits.refresh },
    { name: 'time out commands', everyMs: 5_000, run: commands.sweep },
    { name: 'poll zones', everyMs: pollMs, run: zones.poll },
    { name: 'watch zones', everyMs: 2_000, run: zones.watch },
    { name: 'expire zone tokens', everyMs: 10_000, run: zones.endExpired },
    { name: 'probe silent zone devices', everyMs: 1_000, run: zones.probeSilent },
    { name: 'sweep zones', everyMs: 10_000, run: zones.sweep },
    { name: 'sweep device instructions', everyMs: 60_000, run: instructions.sweep },
    { name: 'sweep connection takeovers', everyMs: 60_000, run: takeovers.sweep },
  ]);
  const onNotification = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, 'notification handler failed'));
  channel.notifier.on('command', onNotification(commands.poll));
  channel.notifier.on('instruction', onNotification(instructions.poll));
  channel.notifier.on('instruction', onNotification(takeovers.poll));
  channel.notifier.on('model', onNotification(models.checkForChanges));
  channel.notifier.on('zone', onNotification(zones.poll));
  channel.notifier.on('quota', onNotification(rateLimits.refresh));

  // Loaded on demand, because it imports Fastify.
  const drain = createDrain(log);
  const openHttp = async () =>
    (await import('./device-http.ts')).openDeviceHttp({
      ...{ settings, log, db, deviceSocket, stats },
      isDraining: drain.isDraining,
    });
  const http = settings.PROCESSES === 'device' ? await openHttp() : undefined;

  const stop = async (): Promise<void> => {
    await http?.close();
    await mqttServer.stop();
    await jobs.stop();
    await zones.stop(5_000).catch(() => undefined);
    await presence.stop(3_000);
    await ingest.stop(5_000);
    await lease.release().catch(() => undefined);
    await store.close();
    await Promise.all([db.destroy(), records.destroy()]);
  };
  return {
    port: mqttServer.port,
    tlsPort: mqttServer.tlsPort,
    ...(http ? { drain: drain.begin } : {}),
    ...(tlsFiles ? { reload: tlsFiles.reload } : {}),
    runJob: jobs.run,
    stop,
  };
};

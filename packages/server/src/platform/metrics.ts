import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './version.ts';

/** Statistics of the device process. Counters start at the start of the process. */
export type DeviceStats = {
  connections: number;
  messages: number;
  refusedConnections: number;
  waitingMessages: number;
  waitingBytes: number;
  /** By zone: 1 while this hub is subscribed at one of its brokers, 0 while it should be. */
  zones: Record<string, 0 | 1>;
  /** 1 while messages can be stored, 0 while the database rejects writes. */
  recordsWritable: 0 | 1;
  /** Acknowledged messages found missing within a week. */
  lostMessages: number;
  commandsSent: number;
  commands: Record<'succeeded' | 'failed', number>;
  upgrades: Record<'succeeded' | 'failed', number>;
  /** Messages delayed by the rate limit of their device or tenant. */
  slowed: Record<'device' | 'tenant', number>;
};

/** Undefined without statistics. */
export const isWritable = (stats: DeviceStats | undefined): boolean | undefined => stats && stats.recordsWritable === 1;

type DeviceMetric = {
  type: 'gauge' | 'counter';
  name: string;
  help: string;
  key: keyof DeviceStats;
  label?: string;
};

const deviceMetrics: DeviceMetric[] = [
  { type: 'gauge', name: 'device_connections', help: 'Devices connected to this hub', key: 'connections' },
  {
    type: 'counter',
    name: 'device_messages_stored_total',
    help: 'Device messages that were stored',
    key: 'messages',
  },
  {
    type: 'counter',
    name: 'device_connections_refused_total',
    help: 'Device connections that were rejected',
    key: 'refusedConnections',
  },
  {
    type: 'counter',
    name: 'device_messages_slowed_total',
    help: 'Messages delayed by a rate or a daily quota, by owner: device or tenant',
    key: 'slowed',
    label: 'quota',
  },
  {
    type: 'gauge',
    name: 'device_messages_waiting',
    help: 'Messages received and not stored yet',
    key: 'waitingMessages',
  },
  {
    type: 'gauge',
    name: 'device_bytes_waiting',
    help: 'Bytes of messages received and not stored yet',
    key: 'waitingBytes',
  },
  { type: 'counter', name: 'device_commands_sent_total', help: 'Commands sent to devices', key: 'commandsSent' },
  {
    type: 'counter',
    name: 'device_commands_answered_total',
    help: 'Commands with a result, by result: succeeded or failed',
    key: 'commands',
    label: 'result',
  },
  {
    type: 'counter',
    name: 'device_upgrades_reported_total',
    help: 'Upgrades reported as finished by devices, by result: succeeded or failed',
    key: 'upgrades',
    label: 'result',
  },
  {
    type: 'gauge',
    name: 'zone_subscriber_connected',
    help: '1 while this hub is subscribed at a broker of the zone, 0 while it should be but is not',
    key: 'zones',
    label: 'zone',
  },
  {
    type: 'gauge',
    name: 'records_writable',
    help: '1 while device messages can be stored, 0 while the database rejects writes',
    key: 'recordsWritable',
  },
  {
    type: 'gauge',
    name: 'device_messages_lost',
    help: 'Acknowledged messages found missing at startup, within a week',
    key: 'lostMessages',
  },
];

type SettableMetric = { reset(): void; inc(labels: Record<string, string>, value: number): void };

export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'device_center_build_info',
    help: '1, with the version of this hub',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const quotaRejections = new Counter({
    name: 'quota_refusals_total',
    help: 'Requests rejected because a quota is used up, by error code',
    labelNames: ['code'],
    registers: [registry],
  });
  return {
    countQuotaRejection: (code: string): void => quotaRejections.inc({ code }),
    observeRequest: (call: string, status: number, seconds: number): void =>
      requests.observe({ call, status: String(status) }, seconds),
    /** Collected on each scrape; empty while the device process is down. */
    showDevices(stats: () => DeviceStats | undefined): void {
      for (const { type, name, help, key, label } of deviceMetrics) {
        const show = (metric: SettableMetric): void => {
          metric.reset();
          const value = stats()?.[key] ?? {};
          if (typeof value === 'number') metric.inc({}, value);
          else for (const [one, count] of Object.entries(value)) metric.inc({ [label ?? '']: one }, count);
        };
        const of = { name, help, labelNames: label ? [label] : [], registers: [registry] };
        if (type === 'counter')
          new Counter({
            ...of,
            collect() {
              show(this);
            },
          });
        else
          new Gauge({
            ...of,
            collect() {
              show(this);
            },
          });
      }
    },
    showDatabaseWritable(probe: () => Promise<boolean>): void {
      new Gauge({
        name: 'database_writable',
        help: '1 while the database accepts writes, 0 while it does not',
        registers: [registry],
        async collect() {
          this.set((await probe()) ? 1 : 0);
        },
      });
    },
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
};

export type Metrics = ReturnType<typeof createMetrics>;

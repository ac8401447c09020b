import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './version.ts';

/** What the device side of this hub can tell of itself. What it counts, it counts since it started. */
export type DeviceFigures = {
  connections: number;
  messages: number;
  refusedConnections: number;
  waitingMessages: number;
  waitingBytes: number;
  /** By zone: 1 while this hub is subscribed at a broker of it, 0 while it should be. */
  zones: Record<string, 0 | 1>;
  /** 1 while messages can be stored, 0 while the database takes none. */
  recordsWritable: 0 | 1;
  /** Acknowledged messages that were found missing within a week. */
  lostMessages: number;
  commandsSent: number;
  commands: Record<'succeeded' | 'failed', number>;
  upgrades: Record<'succeeded' | 'failed', number>;
  /** Messages that waited for the rate of their device, or of their tenant. */
  slowed: Record<'device' | 'tenant', number>;
};

/** Nothing where there are no figures. */
export const isWritable = (figures: DeviceFigures | undefined): boolean | undefined =>
  figures && figures.recordsWritable === 1;

type DeviceMetric = {
  type: 'gauge' | 'counter';
  name: string;
  help: string;
  figure: keyof DeviceFigures;
  label?: string;
};

const deviceMetrics: DeviceMetric[] = [
  { type: 'gauge', name: 'device_connections', help: 'Devices connected to this hub', figure: 'connections' },
  {
    type: 'counter',
    name: 'device_messages_stored_total',
    help: 'Messages of devices that were stored',
    figure: 'messages',
  },
  {
    type: 'counter',
    name: 'device_connections_refused_total',
    help: 'Connections of devices that were refused',
    figure: 'refusedConnections',
  },
  {
    type: 'counter',
    name: 'device_messages_slowed_total',
    help: 'Messages that waited for a rate or a daily quota, by whose it is: device or tenant',
    figure: 'slowed',
    label: 'quota',
  },
  {
    type: 'gauge',
    name: 'device_messages_waiting',
    help: 'Messages that are received and not stored yet',
    figure: 'waitingMessages',
  },
  {
    type: 'gauge',
    name: 'device_bytes_waiting',
    help: 'Bytes of messages that are received and not stored yet',
    figure: 'waitingBytes',
  },
  { type: 'counter', name: 'device_commands_sent_total', help: 'Commands sent to devices', figure: 'commandsSent' },
  {
    type: 'counter',
    name: 'device_commands_answered_total',
    help: 'Commands with a result, by result: succeeded or failed',
    figure: 'commands',
    label: 'result',
  },
  {
    type: 'counter',
    name: 'device_upgrades_reported_total',
    help: 'Upgrades that devices reported the end of, by result: succeeded or failed',
    figure: 'upgrades',
    label: 'result',
  },
  {
    type: 'gauge',
    name: 'zone_subscriber_connected',
    help: '1 while this hub is subscribed at a broker of the zone, 0 while it should be and is not',
    figure: 'zones',
    label: 'zone',
  },
  {
    type: 'gauge',
    name: 'records_writable',
    help: '1 while messages of devices can be stored, 0 while the database takes none',
    figure: 'recordsWritable',
  },
  {
    type: 'gauge',
    name: 'device_messages_lost',
    help: 'Acknowledged messages that were found missing at a start, within a week',
    figure: 'lostMessages',
  },
];

type Shown = { reset(): void; inc(labels: Record<string, string>, value: number): void };

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
  const quotaRefusals = new Counter({
    name: 'quota_refusals_total',
    help: 'Requests refused because a quota is used up, by its error code',
    labelNames: ['code'],
    registers: [registry],
  });
  return {
    countQuotaRefusal: (code: string): void => quotaRefusals.inc({ code }),
    observeRequest: (call: string, status: number, seconds: number): void =>
      requests.observe({ call, status: String(status) }, seconds),
    /** Shown as they are when somebody looks; nothing while the device side is away. */
    showDevices(figures: () => DeviceFigures | undefined): void {
      for (const { type, name, help, figure, label } of deviceMetrics) {
        const show = (metric: Shown): void => {
          metric.reset();
          const value = figures()?.[figure] ?? {};
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
        help: '1 while the database takes writes, 0 while it takes none',
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

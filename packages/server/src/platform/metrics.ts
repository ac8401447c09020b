import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the device side of this hub can tell of itself. */
export type DeviceFigures = {
  connections: number;
  /** Since it started. */
  messages: number;
  refusedConnections: number;
  waitingMessages: number;
  waitingBytes: number;
  zonesHeard: number;
  zonesWanted: number;
  /** 1 while messages can be stored, 0 while the database takes none. */
  recordsWritable: 0 | 1;
  /** Acknowledged messages that were found missing within a week. */
  lostMessages: number;
};

/** Nothing where there are no figures. */
export const isWritable = (figures: DeviceFigures | undefined): boolean | undefined =>
  figures && figures.recordsWritable === 1;

const deviceHelp: Record<keyof DeviceFigures, [name: string, help: string]> = {
  connections: ['device_connections', 'Devices connected to this hub'],
  messages: ['device_messages_stored', 'Messages of devices that were stored since the device side started'],
  refusedConnections: ['device_connections_refused', 'Connections turned away since the device side started'],
  waitingMessages: ['device_messages_waiting', 'Messages that are received and not stored yet'],
  waitingBytes: ['device_bytes_waiting', 'Bytes of messages that are received and not stored yet'],
  zonesHeard: ['zones_heard', 'Brokers of availability zones that this hub hears'],
  zonesWanted: ['zones_wanted', 'Brokers of availability zones that this hub should hear'],
  recordsWritable: ['records_writable', '1 while messages of devices can be stored, 0 while the database takes none'],
  lostMessages: ['device_messages_lost', 'Acknowledged messages that were found missing at a start, within a week'],
};

export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    observeRequest: (call: string, status: number, seconds: number): void =>
      requests.observe({ call, status: String(status) }, seconds),
    /** Shown as they are when somebody looks; nothing while the device side is away. */
    showDevices(figures: () => DeviceFigures | undefined): void {
      for (const [figure, [name, help]] of Object.entries(deviceHelp) as [keyof DeviceFigures, [string, string]][])
        new Gauge({
          name,
          help,
          registers: [registry],
          collect() {
            const value = figures()?.[figure];
            if (value === undefined) this.reset();
            else this.set(value);
          },
        });
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

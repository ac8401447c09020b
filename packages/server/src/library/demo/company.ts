import type {
  FailReasonId,
  Language,
  ModelFunction,
  NodeTypeId,
  ProductClassId,
  ProtocolId,
} from '@device-center/contract';
import type { ValueCurve } from '@device-center/virtual-device';

/** State of a demonstration device; the default is `alive`. */
export type Condition =
  | { kind: 'alive' }
  /** Reports every few seconds. */
  | { kind: 'lively' }
  /** A child device is logged out by its gateway, which lost contact with it: `byDevice`. */
  | { kind: 'offline'; days: number; reason: 'lost' | 'keepAlive' | 'byDevice' }
  | { kind: 'blacklisted'; days: number; reason: string }
  /** Since yesterday, until next week. */
  | { kind: 'kicked' }
  | { kind: 'never' }
  /** Its board was replaced, and its secret with it. */
  | { kind: 'wrongSecret'; days: number }
  /** Responds to commands seconds late. */
  | { kind: 'slow' }
  /** Sometimes reports values outside of its model. */
  | { kind: 'breaksModel' }
  /** Connects and disconnects frequently. */
  | { kind: 'flapping' };

export type SampleEvent = { event: string; output: Record<string, unknown> };

export type OwnCategory = { key: string; categoryName: string; description: string; functions: ModelFunction[] };

export type DemoProduct = {
  /** File name of its picture, and its key in references. */
  key: string;
  productName: string;
  description: string;
  /** Id of a standard category, or key of one of the company's categories. */
  category: string;
  /** Functions in addition to those of its category. */
  functions?: ModelFunction[];
  nodeType: NodeTypeId;
  protocolId: ProtocolId;
  classId: ProductClassId;
  application: 0 | 1;
  /** Newest last; most devices run the newest. */
  versions: [string, ...string[]];
  /** Version of a device by its index in `names`, if it depends on the upgrades. */
  runs?: (index: number) => string;
  hardware: string;
  idPrefix: string;
  names: string[];
  /** Key of the gateways' product; child devices are assigned to the gateways in turn. */
  behind?: string;
  curves: Record<string, ValueCurve>;
  /** Values of all other properties, until an operator sets them. */
  defaults: Record<string, unknown>;
  sampleEvents: SampleEvent[];
  logs: string[];
  /** By index in `names`. */
  conditions?: Record<number, Condition>;
};

/** An uploaded firmware version of a product. */
export type DemoRelease = {
  product: string;
  versionNumber: string;
  versionName: string;
  daysAgo: number;
  kilobytes: number;
};

/** Reason of a failed upgrade, and the device's message. */
export type DemoFailure = { reason: FailReasonId; detail: string };

/**
 * An upgrade task: devices that run its target version have succeeded; those with an old version are waiting unless
 * they failed.
 */
export type DemoUpgrade = {
  taskName: string;
  product: string;
  from: string[];
  to: string;
  taskRank: number;
  /** Shares in percent. */
  stages: number[];
  hoursAgo: number;
  state: 'ended' | 'paused' | 'later';
  /** Schedule of a later task, in the company's time zone. */
  cron?: string;
  /** By index in `names`. */
  failures?: Record<number, DemoFailure>;
};

export type Company = {
  tenancyId: string;
  language: Language;
  /** Offset of local time from UTC. */
  offsetHours: number;
  timezone: string;
  tenancyName: string;
  companyName: string;
  contactName: string;
  phone: string;
  email: string;
  companyAddress: string;
  applications: [string, string];
  roleName: string;
  user: { username: string; name: string; email: string };
  categories: OwnCategory[];
  products: DemoProduct[];
  releases: DemoRelease[];
  upgrades: DemoUpgrade[];
};

/** 01, 02 and so on. */
export const numbered = (count: number, nameOf: (number: string, index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => nameOf(String(index + 1).padStart(2, '0'), index));

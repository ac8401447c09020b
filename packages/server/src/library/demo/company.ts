import type {
  FailReasonId,
  Language,
  ModelFunction,
  NodeTypeId,
  ProductClassId,
  ProtocolId,
} from '@device-center/contract';
import type { ValueCurve } from '@device-center/virtual-device';

/** What a device of the demonstration is like; whoever is not named otherwise is alive. */
export type Condition =
  | { kind: 'alive' }
  /** Says something every few seconds. */
  | { kind: 'lively' }
  /** A child is logged out by its gateway, which no longer hears it: `byDevice`. */
  | { kind: 'offline'; days: number; reason: 'lost' | 'keepAlive' | 'byDevice' }
  | { kind: 'blacklisted'; days: number; reason: string }
  /** Since yesterday, until next week. */
  | { kind: 'kicked' }
  | { kind: 'never' }
  /** Its board was changed, and its secret with it. */
  | { kind: 'wrongSecret'; days: number }
  /** Answers commands seconds late. */
  | { kind: 'slow' }
  /** Its values are now and then beyond what its model allows. */
  | { kind: 'breaksModel' }
  /** Comes and goes. */
  | { kind: 'flapping' };

export type Happening = { event: string; output: Record<string, unknown> };

export type OwnCategory = { key: string; categoryName: string; description: string; functions: ModelFunction[] };

export type DemoProduct = {
  /** Its name among the pictures, and for those who refer to it. */
  key: string;
  productName: string;
  description: string;
  /** A standard category by its id, or one of the company's own by its key. */
  category: string;
  /** What it can do beyond its category. */
  functions?: ModelFunction[];
  nodeType: NodeTypeId;
  protocolId: ProtocolId;
  classId: ProductClassId;
  application: 0 | 1;
  /** Newest last; most devices have the newest. */
  versions: [string, ...string[]];
  /** What the device at a place among the names runs, where that is told by what became of upgrades. */
  runs?: (place: number) => string;
  hardware: string;
  idPrefix: string;
  names: string[];
  /** The product of the gateways that they are behind, dealt out in turn. */
  behind?: string;
  curves: Record<string, ValueCurve>;
  /** What it says of all else, until somebody sets it. */
  defaults: Record<string, unknown>;
  sampleEvents: Happening[];
  logs: string[];
  /** By place among the names. */
  conditions?: Record<number, Condition>;
};

/** Firmware of a product that was uploaded. */
export type DemoRelease = {
  product: string;
  versionNumber: string;
  versionName: string;
  daysAgo: number;
  kilobytes: number;
};

/** Why a device failed, and in its own words. */
export type DemoFailure = { reason: FailReasonId; detail: string };

/** A task: all that run its target by now have succeeded, and those of its condition wait where they did not fail. */
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
  /** Of one that begins later: when, in the company's own time. */
  cron?: string;
  /** By place among the names. */
  failures?: Record<number, DemoFailure>;
};

export type Company = {
  tenancyId: string;
  language: Language;
  /** Local time is so much ahead of UTC. */
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

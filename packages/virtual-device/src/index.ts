export {
  type Device,
  DeviceError,
  type DeviceEvents,
  type Passing,
  type Step,
  type UpgradePhase,
  type UpgradeState,
  type Values,
} from '@device-center/device-sdk';
export { type Body, createBody } from './device-behavior.ts';
export { createMock, type Mock, type MockFaults, type PendingCall, type RefusalWord } from './mock.ts';
export type { MockUpgrade } from './mock-upgrade.ts';
export { playSequence, startRepeat } from './play.ts';
export { createVirtualUpgrade, type VirtualUpgrade } from './upgrade.ts';
export { type Course, createSteadyBody, type Lifeline, type SteadyBody, valueAt } from './value-curve.ts';
export { nextParams, nextValue, type Random } from './values.ts';

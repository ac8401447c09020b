export {
  type Device,
  DeviceError,
  type DeviceEvents,
  type MessageTrace,
  type Step,
  type UpgradePhase,
  type UpgradeState,
  type Values,
} from '@device-center/device-sdk';
export { createDeviceBehavior, type DeviceBehavior } from './device-behavior.ts';
export { createMock, type Mock, type MockFaults, type PendingCall, type RejectCode } from './mock.ts';
export type { MockUpgrade } from './mock-upgrade.ts';
export { playSequence, startRepeat } from './play.ts';
export { createVirtualUpgrade, type VirtualUpgrade } from './upgrade.ts';
export {
  type CurveContext,
  createSteadyBehavior,
  type SteadyBehavior,
  type ValueCurve,
  valueAt,
} from './value-curve.ts';
export { nextParams, nextValue, type Random } from './values.ts';

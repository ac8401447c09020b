export { type BackoffOptions, backoffDelay, defaultBackoff } from './backoff.ts';
export { createDevice } from './device.ts';
export { createEmitter, type Emitter } from './emitter.ts';
export { composeEnvelope, composeLogin, isSignedBy, readEnvelope } from './envelope.ts';
export { hashes } from './hashes.ts';
export { DeviceRefusal, NotDelivered } from './refusal.ts';
export { after } from './runtime.ts';
export type * from './types.ts';

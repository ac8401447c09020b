export * from './codes.ts';
export * from './message.ts';
export * from './payloads.ts';
export * from './signature.ts';
export * from './system-services.ts';
export * from './topics.ts';
export * from './upgrade.ts';

export * from './api-error.ts';
export * from './feedback.ts';
export * from './picture.ts';
export * from './query-client.ts';
export * from './send.ts';
export * from './session.ts';
export * from './use-call.ts';

import { describeOnPostgres } from './engine.ts';
import { describeTwoHubs } from './hubs-commands-fixtures.ts';
import { startHubsInProcess } from './hubs-in-process.ts';

describeOnPostgres(() => describeTwoHubs('two hubs without hints', () => startHubsInProcess({ NOTIFICATIONS: 'off' })));

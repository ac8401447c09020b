import { describeOnPostgres } from './engine.ts';
import { describeTwoHubs } from './hubs-commands-fixtures.ts';
import { startHubs } from './hubs-fixtures.ts';

describeOnPostgres(() => describeTwoHubs('two hubs with hints', startHubs));

import { describeOnPostgres } from './engine.ts';
import { describeTwoHubs } from './hubs-commands-kit.ts';
import { startHubs } from './hubs-kit.ts';

describeOnPostgres(() => describeTwoHubs('two hubs with hints', startHubs));

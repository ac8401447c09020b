import { createDeviceProcess } from './device-process.ts';
import { runProcess } from './run-process.ts';

await runProcess('device', createDeviceProcess);

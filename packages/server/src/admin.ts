import { createAdminProcess } from './admin-process.ts';
import { runProcess } from './run-process.ts';

await runProcess('admin', createAdminProcess);

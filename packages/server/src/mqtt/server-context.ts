import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { AuthorizeConnect, ServerLimits } from './server-types.ts';

/** State shared by all connections of the server. */
export type ServerContext = {
  limits: ServerLimits;
  clock: Clock;
  budget: Budget;
  addresses: Addresses;
  authorize: AuthorizeConnect;
  log: Log;
  /** Bytes of all clients read ahead while a publish waits for capacity. */
  readAhead: { bytes: number };
  /** Accepted clients whose sockets are open. */
  acceptedClients: number;
  /** Refused sockets. */
  refused: number;
};

import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { Admit, GatewayLimits } from './server-types.ts';

/** What all connections of a gateway share. */
export type ServerContext = {
  limits: GatewayLimits;
  clock: Clock;
  budget: Budget;
  addresses: Addresses;
  admit: Admit;
  log: Log;
  /** Bytes read ahead of publishes that wait, of all clients. */
  held: { bytes: number };
  /** Clients that were admitted and whose sockets are open. */
  admitted: number;
  /** Sockets turned away. */
  refused: number;
};

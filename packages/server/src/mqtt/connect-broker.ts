import type { Duplex } from 'node:stream';
import type { NodeProblem } from '@device-center/contract';
import { NodeFailure, toNodeFailure } from '../platform/outbound/node-failure.ts';
import { type Broker, type BrokerOptions, BrokerRefusal, openBroker } from './broker-client.ts';

type Place = { host: string; port: number };

type ConnectOptions = Omit<BrokerOptions, 'stream' | 'version'> & {
  /** A new connection to the broker at each call. */
  open: () => Promise<Duplex>;
  /** Where that is, for what is told about it. */
  at: Place;
};

const byCode = new Map<number, NodeProblem>([
  [2, 'notAllowed'],
  [3, 'closed'],
  [4, 'credentials'],
  // Mosquitto and others say so of a wrong password too.
  [5, 'credentials'],
  [0x85, 'notAllowed'],
  [0x86, 'credentials'],
  [0x87, 'credentials'],
  [0x88, 'closed'],
  [0x89, 'closed'],
  [0x8a, 'notAllowed'],
  [0x8c, 'notAllowed'],
  [0x9c, 'redirect'],
  [0x9d, 'redirect'],
]);

/** What a broker's no means, in the words of a node's problems. */
const failureOf = (error: unknown, at: Place): NodeFailure =>
  error instanceof BrokerRefusal ? new NodeFailure(byCode.get(error.code) ?? 'protocol') : toNodeFailure(error, at);

/** A broker of the earlier version refuses the later one for no other reason, answers in its own words, or hangs up. */
const mayBeOlder = (error: unknown, { problem }: NodeFailure): boolean =>
  error instanceof BrokerRefusal ? problem === 'protocol' : ['protocol', 'closed', 'timeout'].includes(problem);

/** Logs in with MQTT 5 and, if need be, with 3.1.1. Whatever is in the way is thrown as a node's problem. */
export const connectBroker = async ({ open, at, ...options }: ConnectOptions): Promise<Broker> => {
  const stream = await open();
  try {
    return await openBroker({ ...options, stream, version: 5 });
  } catch (error) {
    const failure = failureOf(error, at);
    if (options.signal?.aborted || !mayBeOlder(error, failure)) throw failure;
  }
  const again = await open();
  return openBroker({ ...options, stream: again, version: 4 }).catch((error: unknown) => {
    throw failureOf(error, at);
  });
};

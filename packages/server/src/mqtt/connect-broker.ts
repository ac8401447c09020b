import type { Duplex } from 'node:stream';
import type { NodeProblem } from '@device-center/contract';
import { NodeFailure, toNodeFailure } from '../platform/outbound/node-failure.ts';
import { type Broker, type BrokerOptions, ConnackError, openBroker } from './broker-client.ts';

type BrokerAddress = { host: string; port: number };

type ConnectOptions = Omit<BrokerOptions, 'stream' | 'version'> & {
  /** Opens a new socket to the broker. */
  open: () => Promise<Duplex>;
  /** Address of the broker, for error messages. */
  at: BrokerAddress;
};

const problemByCode = new Map<number, NodeProblem>([
  [2, 'notAllowed'],
  [3, 'closed'],
  [4, 'credentials'],
  // Mosquitto and others also use this code for a wrong password.
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

/** Maps an error of the connection attempt to a node problem. */
const failureOf = (error: unknown, at: BrokerAddress): NodeFailure =>
  error instanceof ConnackError
    ? new NodeFailure(problemByCode.get(error.code) ?? 'protocol')
    : toNodeFailure(error, at);

/** A broker without MQTT 5 rejects the CONNECT with an unknown code, answers in 3.1.1 format, or closes the socket. */
const mayBeMqtt311 = (error: unknown, { problem }: NodeFailure): boolean =>
  error instanceof ConnackError ? problem === 'protocol' : ['protocol', 'closed', 'timeout'].includes(problem);

/** Connects with MQTT 5 and falls back to 3.1.1. Every error is thrown as a NodeFailure. */
export const connectBroker = async ({ open, at, ...options }: ConnectOptions): Promise<Broker> => {
  const stream = await open();
  try {
    return await openBroker({ ...options, stream, version: 5 });
  } catch (error) {
    const failure = failureOf(error, at);
    if (options.signal?.aborted || !mayBeMqtt311(error, failure)) throw failure;
  }
  const retryStream = await open();
  return openBroker({ ...options, stream: retryStream, version: 4 }).catch((error: unknown) => {
    throw failureOf(error, at);
  });
};

import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Names a port of this machine so that only one process alive can have it: a port belongs to one process at a time in
 * one network of one run of a machine, and Linux says which network and which run. Elsewhere: ''.
 */
export const listeningPlace = (address: string, port: number): string => {
  try {
    const run = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const network = readlinkSync('/proc/self/ns/net');
    return `${run} ${network} ${address} ${port}`;
  } catch {
    return '';
  }
};

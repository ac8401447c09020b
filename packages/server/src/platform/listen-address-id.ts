import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Identifies a listening port so that only one live process can have it: by network namespace and boot of the machine,
 * which Linux provides. '' on other systems.
 */
export const listenAddressId = (address: string, port: number): string => {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const networkNamespace = readlinkSync('/proc/self/ns/net');
    return `${bootId} ${networkNamespace} ${address} ${port}`;
  } catch {
    return '';
  }
};

import { ReasonCode } from './reason-codes.ts';
import type { ProtocolVersion } from './server-types.ts';

/** A protocol violation by a client, with the violated clause of either version and the MQTT 5 reason code. */
export class ProtocolError extends Error {
  readonly #clauses: Record<ProtocolVersion, string>;
  readonly reasonCode: number;

  constructor(
    message: string,
    clause311: string,
    clause5 = clause311,
    reasonCode: number = ReasonCode.malformedPacket,
  ) {
    super(message);
    this.#clauses = { 4: clause311, 5: clause5 };
    this.reasonCode = reasonCode;
  }

  detail(version: ProtocolVersion): string {
    return `${this.message} (MQTT ${version === 5 ? '5' : '3.1.1'} §${this.#clauses[version]})`;
  }
}

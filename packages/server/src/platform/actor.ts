import type { Language } from '@device-center/contract';

/** The caller, with the permissions that it has at the time of this request. */
export type Actor = {
  userId: string;
  username: string;
  name: string;
  tenancyId: string;
  /** A user of the platform tenant sees all tenants. */
  platform: boolean;
  roleId: string;
  /** Ids of the granted menus that are leaves. */
  menus: ReadonlySet<number>;
  sessionId: string;
  firstLogin: boolean;
  /** Id of the API key; '' for a logged-in user. */
  keyId: string;
};

/** What a handler gets besides the input. */
export type Context<Who extends Actor | null = Actor> = {
  actor: Who;
  language: Language;
  ip: string;
  userAgent: string;
  requestId: string;
  /** From the Authorization header, without `Bearer`. */
  token: string;
  /** The Host header without the port. Untrusted: do not use it in mails. */
  hostname: string;
  /** `slice.call`, as in the audit log. */
  action: string;
};

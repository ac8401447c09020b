import type { Language } from '@device-center/contract';

/** Who calls, as its session and role stand at this very request. */
export type Actor = {
  userId: string;
  username: string;
  name: string;
  tenancyId: string;
  /** A user of the platform tenant sees all tenants. */
  platform: boolean;
  roleId: string;
  /** Granted leaves. */
  menus: ReadonlySet<number>;
  sessionId: string;
  firstLogin: boolean;
  /** The API key that it calls by; '' for a person who is logged in. */
  keyId: string;
};

/** What a handler knows of its request besides the input. */
export type Context<Who extends Actor | null = Actor> = {
  actor: Who;
  language: Language;
  ip: string;
  userAgent: string;
  requestId: string;
  /** As it came in Authorization, without `Bearer`. */
  token: string;
  /** The host as the caller wrote it, without the port; never to be put into mails. */
  hostname: string;
  /** `slice.call`, what the audit log writes. */
  action: string;
};

import type { ExpiryChoice } from './expiry.ts';
import type { Scope } from './scopes.ts';

export type KeyFields = {
  keyName: string;
  tenancyId: string;
  scope: Scope;
  roleId: string;
  applicationId: string;
  expiry: ExpiryChoice;
  /** Of a custom expiry, as ISO text. */
  expireTime: string;
};

export const emptyKey = (tenancyId: string): KeyFields => ({
  keyName: '',
  tenancyId,
  scope: 'role',
  roleId: '',
  applicationId: '',
  expiry: '90',
  expireTime: '',
});

import type { ExpiryChoice } from './expiry.ts';
import type { Scope } from './scopes.ts';

export type KeyFields = {
  keyName: string;
  tenancyId: string;
  scope: Scope;
  roleId: string;
  applicationId: string;
  expiry: ExpiryChoice;
  /** ISO time of a custom expiry. */
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

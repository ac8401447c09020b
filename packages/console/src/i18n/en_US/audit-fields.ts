import type { Texts } from '../texts.ts';
import type { auditFields as zh } from '../zh_CN/audit-fields.ts';

export const auditFields: Texts<typeof zh> = {
  username: 'Account',
  name: 'Person name',
  email: 'E-mail',
  phone: 'Phone',
  roleId: 'Role id',
  roleName: 'Role name',
  menus: 'Menus',
  tenancyId: 'Tenant id',
  tenancyName: 'Tenant name',
  companyName: 'Company',
  contactName: 'Contact',
  companyAddress: 'Company address',
  applicationId: 'Application id',
  applicationName: 'Application name',
  enabled: 'Enabled',
  disabledApplications: 'Applications disabled with it',
  preferences: 'Preferences',
  sessionId: 'Session id',
  ended: 'Sessions ended',
  contentType: 'Picture type',
  bytes: 'Bytes',
};

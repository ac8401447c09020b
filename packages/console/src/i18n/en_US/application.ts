import type { Texts } from '../texts.ts';
import type { application as zh } from '../zh_CN/application.ts';

export const application: Texts<typeof zh> = {
  listTitle: 'Applications',
  addTitle: 'New application',
  editTitle: 'Edit application',
  count: '{{total}} in total',
  applicationName: 'Application name',
  applicationId: 'Application id',
  nameAndId: 'Application / id',
  nameOrId: 'Name or id',
  nameHint: '1-50 Chinese characters, letters, digits or @ - _ ( ); once in a tenant.',
  tenant: 'Tenant',
  tenantClosed: 'Tenant closed',
  status: 'Status',
  creator: 'Creator',
  listSeparator: ', ',
  emptyTitle: 'No applications yet',
  emptyText: 'Devices belong to an application. Make one, then register devices under it.',
  switchLabel: 'Enabled: {{name}}',
  disableTitle: 'Disable the application "{{name}}"?',
  disableText: 'Its devices are cut and cannot log in while it is disabled.',
  disabledNotice: 'The application is disabled and read-only; enable it to edit.',
  tenantClosedNotice:
    'The tenant is closed and the application with it; open the tenant before you enable the application.',
  deleteTitle: 'Delete the application "{{name}}"?',
  deleteManyTitle: 'Delete {{count}} applications?',
  deleteWarning: 'Deleting an application deletes all linked devices',
  deleteText: 'Connections of the devices are cut and their records go with them. This cannot be undone.',
  sectionBasic: 'Basics',
  summaryNew: 'A new application is enabled at once; in a closed tenant it is made disabled.',
};

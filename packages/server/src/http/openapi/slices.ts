import type { Slice } from '@device-center/contract';

const descriptions: Record<Slice, string> = {
  account: 'Login, and codes for lost passwords',
  personal: "One's own account: profile, password, phone and e-mail, sessions",
  role: 'Roles and their menus',
  user: 'Users',
  tenancy: 'Tenants',
  quota: 'Quotas of tenants, and what is used of them',
  application: 'Applications',
  category: 'Categories of products, and their functions',
  product: 'Products',
  model: 'Function models of products',
  device: 'Devices',
  control: 'Commands to devices, blacklist, kick and configuration',
  record: 'What devices sent: values, messages, logs, connections; live or stored',
  firmware: 'Firmware files and versions',
  ota: 'Upgrade tasks',
  zone: 'Availability zones',
  sync: 'Synchronisation with other platforms',
  mock: 'Mock devices',
  home: 'Figures of the home page',
  bucket: 'Calls of devices and of other platforms',
  brokerAuth: 'Calls of brokers that ask who may connect',
  audit: 'Audit log',
  outbox: 'E-mails and text messages',
  apiKey: 'API keys',
};

export const sliceTags = Object.entries(descriptions).map(([name, description]) => ({ name, description }));

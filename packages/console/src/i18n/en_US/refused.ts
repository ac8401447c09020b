import type { Texts } from '../texts.ts';
import type { refused as chinese } from '../zh_CN/refused.ts';

export const refused: Texts<typeof chinese> = {
  count: '{{total}} in total',
  latest: 'Only the latest are kept',
  time: 'Time',
  deviceId: 'Device id',
  noDevice: 'None given',
  product: 'Product',
  tenant: 'Tenant',
  cause: 'Why, and what to do',
  place: 'Where',
  place_login: 'Log-in',
  place_connect: 'Connect',
  place_message: 'Message',
  address: 'Address',
  transport: 'Transport',
  empty: 'No refused log-ins',
  emptyText: 'Every log-in, connection and message was let in. The latest 1000 refusals of a tenant are kept.',
};

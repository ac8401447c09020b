import type { Texts } from '../texts.ts';
import type { quota as zh } from '../zh_CN/quota.ts';

export const quota: Texts<typeof zh> = {
  title: 'Quotas',
  ownTitle: 'Tenant quotas',
  messagesPerSecond: 'Messages per second',
  messagesPerSecondHint: 'Above it the hub reads more slowly; no message is dropped',
  deviceMessagesPerSecond: 'Messages per second and device',
  deviceMessagesPerSecondHint: 'Above it only this device is slowed down; a gateway counts with its child devices',
  messagesPerDay: 'Messages per day',
  messagesPerDayHint: 'Once used up, the average rate of the quota applies until midnight UTC',
  storedBytes: 'Device history',
  storedBytesHint: "Above it the tenant's oldest records are deleted first; an estimate",
  uploadBytes: 'Firmware files',
  uploadBytesHint: 'Includes the declared size of unfinished uploads',
  textsPerDay: 'Codes per day',
  textsPerDayHint: 'Text messages and e-mails, reset at midnight UTC',
  userTextsPerDay: 'Codes per day and user',
  userTextsPerDayHint: 'Text messages and e-mails, reset at midnight UTC',
  usedOf: '{{used}} of {{limit}}',
  noLimit: 'no fixed limit',
  own: 'custom',
  edit: 'Edit quotas',
  editTitle: 'Edit the quotas of "{{name}}"',
  editText: 'Leave a field empty to use its default.',
  byDefault: 'Default: {{value}}',
};

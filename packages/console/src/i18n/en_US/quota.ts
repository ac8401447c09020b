import type { Texts } from '../texts.ts';
import type { quota as zh } from '../zh_CN/quota.ts';

export const quota: Texts<typeof zh> = {
  title: 'Quotas',
  ownTitle: 'Tenant quotas',
  messagesPerSecond: 'Messages per second',
  messagesPerSecondHint: 'Above the limit, the platform receives more slowly. No messages are dropped',
  deviceMessagesPerSecond: 'Messages per second per device',
  deviceMessagesPerSecondHint:
    'Above the limit, only this device is slowed down. A gateway counts together with its child devices',
  messagesPerDay: 'Messages per day',
  messagesPerDayHint: 'When used up, the average rate of the quota applies until midnight UTC',
  storedBytes: 'Stored history',
  storedBytesHint: "Above the limit, the tenant's oldest records are deleted first. Estimated value",
  uploadBytes: 'Stored firmware',
  uploadBytesHint: 'Includes the declared size of unfinished uploads',
  textsPerDay: 'Codes per day',
  textsPerDayHint: 'Text messages and e-mails; reset at midnight UTC',
  userTextsPerDay: 'Codes per day per user',
  userTextsPerDayHint: 'Text messages and e-mails; reset at midnight UTC',
  usedOf: '{{used}} of {{limit}}',
  noLimit: 'no fixed limit',
  own: 'custom',
  edit: 'Edit quotas',
  editTitle: 'Edit quotas of "{{name}}"',
  editText: 'Leave a field empty to use its default.',
  byDefault: 'Default: {{value}}',
};

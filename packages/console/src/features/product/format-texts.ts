import type { ExportFormat } from '@device-center/contract';

export const formatTexts = {
  json: 'formatJson',
  tsl: 'formatTsl',
  jsonSchema: 'formatJsonSchema',
  typescript: 'formatTypescript',
  cHeader: 'formatCHeader',
} as const satisfies Record<ExportFormat, string>;

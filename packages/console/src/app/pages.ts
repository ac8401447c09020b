import { apiKeyPages } from '../features/api-key/pages.ts';
import { applicationPages } from '../features/application/pages.ts';
import { auditPages } from '../features/audit/pages.ts';
import { categoryPages } from '../features/category/pages.ts';
import { devicePages } from '../features/device/pages.ts';
import { devicesTab } from '../features/device/product-tab.ts';
import { firmwarePages } from '../features/firmware/pages.ts';
import { firmwareTab } from '../features/firmware/product-tab.ts';
import { homePages } from '../features/home/pages.ts';
import { mockPages } from '../features/mock/pages.ts';
import { upgradesTab } from '../features/ota/device-tab.ts';
import { otaPages } from '../features/ota/pages.ts';
import { outboxPages } from '../features/outbox/pages.ts';
import { personalPages } from '../features/personal/pages.ts';
import { productPages } from '../features/product/pages.ts';
import { qrPages } from '../features/qr/pages.ts';
import { rolePages } from '../features/role/pages.ts';
import { syncPages } from '../features/sync/pages.ts';
import { tenancyPages } from '../features/tenancy/pages.ts';
import { userPages } from '../features/user/pages.ts';
import { zonePages } from '../features/zone/pages.ts';
import type { PageEntry } from '../ui/page-entry.ts';

/** Every page that needs a login, in the order of the sidebar. The first page that a role may open is its home page. */
export const pages: readonly PageEntry[] = [
  ...homePages,
  ...tenancyPages,
  ...applicationPages,
  ...rolePages,
  ...userPages,
  ...auditPages,
  ...outboxPages,
  ...apiKeyPages,
  ...categoryPages,
  ...productPages([devicesTab, firmwareTab]),
  ...devicePages([upgradesTab]),
  ...firmwarePages,
  ...otaPages,
  ...zonePages,
  ...syncPages,
  ...mockPages,
  ...qrPages,
  ...personalPages,
];

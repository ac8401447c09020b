import type { Call } from './define-call.ts';
import { accountCalls } from './http/account.ts';
import { apiKeyCalls } from './http/api-key.ts';
import { applicationCalls } from './http/application.ts';
import { auditCalls } from './http/audit.ts';
import { brokerAuthCalls } from './http/broker-auth.ts';
import { bucketCalls } from './http/bucket.ts';
import { categoryCalls } from './http/category.ts';
import { controlCalls } from './http/control.ts';
import { deviceCalls } from './http/device.ts';
import { firmwareCalls } from './http/firmware.ts';
import { homeCalls } from './http/home.ts';
import { mockCalls } from './http/mock.ts';
import { modelCalls } from './http/model.ts';
import { otaCalls } from './http/ota.ts';
import { outboxCalls } from './http/outbox.ts';
import { personalCalls } from './http/personal.ts';
import { productCalls } from './http/product.ts';
import { quotaCalls } from './http/quota.ts';
import { recordCalls } from './http/record.ts';
import { roleCalls } from './http/role.ts';
import { syncCalls } from './http/sync.ts';
import { syncDeliveryCalls } from './http/sync-delivery.ts';
import { deviceTakeoverCalls, productTakeoverCalls } from './http/takeover.ts';
import { tenancyCalls } from './http/tenancy.ts';
import { userCalls } from './http/user.ts';
import { zoneCalls } from './http/zone.ts';

/** All calls of the hub, by slice. */
export const contract = {
  account: accountCalls,
  personal: personalCalls,
  role: roleCalls,
  user: userCalls,
  tenancy: tenancyCalls,
  quota: quotaCalls,
  application: applicationCalls,
  category: categoryCalls,
  product: { ...productCalls, ...productTakeoverCalls },
  model: modelCalls,
  device: { ...deviceCalls, ...deviceTakeoverCalls },
  control: controlCalls,
  record: recordCalls,
  firmware: firmwareCalls,
  ota: otaCalls,
  zone: zoneCalls,
  sync: syncCalls,
  mock: mockCalls,
  home: homeCalls,
  bucket: { ...bucketCalls, ...syncDeliveryCalls },
  brokerAuth: brokerAuthCalls,
  audit: auditCalls,
  outbox: outboxCalls,
  apiKey: apiKeyCalls,
};

export type Slice = keyof typeof contract;
export type NamedCall = { slice: Slice; name: string; call: Call };

export const allCalls: NamedCall[] = Object.entries(contract).flatMap(([slice, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ slice: slice as Slice, name, call })),
);

import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, id, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { connectRow } from './connection.ts';
import { deviceManage } from './device.ts';

/** Rejected logins, connections and messages of one device with the same code. */
const rejectedGroup = z.object({
  /** Id of the latest record. */
  id: z.string(),
  deviceId: z.string(),
  /** '' if no device visible to the caller has this id. */
  deviceName: z.string(),
  productId: z.string(),
  /** '' if the product no longer exists. */
  productName: z.string(),
  /** Device protocol code. */
  reason: z.string(),
  count: z.int(),
  firstTime: z.string(),
  lastTime: z.string(),
  /** Of the latest record: what was rejected, the detail, and the source. */
  place: z.string(),
  detail: z.string(),
  ip: z.string(),
  transport: z.string(),
});
export type RejectedGroup = z.output<typeof rejectedGroup>;

const input = z.object({
  ...paging,
  sortMode: sorting.sortMode,
  productId: blankable(id()),
  deviceId: search(),
  tenancyId: blankable(id()),
});

export const rejectedLoginCalls = defineCalls({
  queryRefusedLogins: {
    method: 'GET',
    path: `${deviceManage}/queryRefusedLogins`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '扩展：被拒绝的登录、连接和消息（每租户最近 1000 条），含未添加的设备 ID',
      en_US:
        'Extension: list rejected logins, connections and messages (latest 1000 per tenant), including those of unknown device IDs',
    },
    input,
    output: pageOf(connectRow),
  },
  queryRefusedLoginGroups: {
    method: 'GET',
    path: `${deviceManage}/queryRefusedLoginGroups`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '扩展：最近 1000 条被拒绝的登录，按设备与原因分组，按最近一次排序',
      en_US: 'Extension: list the latest 1000 rejected logins, grouped by device and reason, most recent first',
    },
    input,
    output: pageOf(rejectedGroup),
  },
});

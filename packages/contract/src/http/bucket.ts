import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { bucket, loginAnswer, loginFields } from '../mqtt/payloads.ts';

/** The two calls that devices make over HTTP. */
export const bucketCalls = defineCalls({
  loginDevice: {
    method: 'POST',
    path: '/api/bucket/login',
    kind: 'command',
    access: 'public',
    forDevices: true,
    summary: { zh_CN: '设备登录（签名见协议文档）', en_US: 'A device logs in (signed as the protocol page says)' },
    input: loginFields,
    output: loginAnswer,
  },
  getConnectBucket: {
    method: 'GET',
    path: '/api/bucket/getConnectBucket',
    kind: 'query',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: '设备的 MQTT 接入点，Authorization 为设备 token',
      en_US: 'Where a device connects; its token in Authorization',
    },
    input: z.object({ transport: z.enum(['tcp', 'ws']).default('tcp') }),
    output: bucket,
  },
});

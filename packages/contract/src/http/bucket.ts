import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { formInt, id } from '../fields.ts';
import { bucket, loginAnswer, loginFields } from '../mqtt/payloads.ts';
import { firmwareKey } from '../mqtt/upgrade.ts';

/** HTTP calls of devices. */
export const bucketCalls = defineCalls({
  loginDevice: {
    method: 'POST',
    path: '/api/bucket/login',
    kind: 'mutation',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: '设备登录（签名见协议文档）',
      en_US: 'Log in a device (for the signature, see the protocol documentation)',
    },
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
      en_US: "Get a device's MQTT endpoint; the device's token in Authorization",
    },
    input: z.object({ transport: z.enum(['tcp', 'ws']).default('tcp') }),
    output: bucket,
  },
  getFirmwareKey: {
    method: 'GET',
    path: '/api/bucket/getFirmwareKey',
    kind: 'query',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: '扩展：验证固件清单的公钥',
      en_US: 'Extension: public key for verifying firmware manifests',
    },
    input: z.object({}),
    output: firmwareKey,
  },
  getFirmwareLink: {
    method: 'GET',
    path: '/api/bucket/getFirmwareLink',
    kind: 'query',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: '扩展：升级中的设备换取新的下载链接，Authorization 为设备 token',
      en_US: "Extension: new download link for an upgrade in progress; the device's token in Authorization",
    },
    input: z.object({ deviceOtaTaskId: id(), attempt: formInt(1, 1_000_000) }),
    output: z.object({ url: z.string(), expireIn: z.int() }),
  },
  downloadFirmware: {
    method: 'GET',
    path: '/api/bucket/downloadFirmware',
    kind: 'query',
    access: 'public',
    forDevices: true,
    answersFile: true,
    summary: {
      zh_CN: '扩展：下载固件，支持 Range；链接与 Authorization 中的设备 token 须属于同一设备',
      en_US:
        'Extension: download firmware, supports Range; the link and the token in Authorization must belong to the same device',
    },
    input: z.object({ link: z.string().min(1).max(500) }),
    output: z.null(),
  },
});

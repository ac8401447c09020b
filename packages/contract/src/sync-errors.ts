import type { Text } from './language.ts';

/** Errors of synchronisation. */
export const syncErrors = {
  SYNC_RECORD_NOT_FOUND: { status: 404, zh_CN: '同步记录不存在', en_US: 'The sync record does not exist' },
  SYNC_NO_TARGET: {
    status: 409,
    zh_CN: '该可用区没有节点，不是同步目标',
    en_US: 'The zone has no nodes and is not a sync target',
  },
  SYNC_TARGET_UNAVAILABLE: {
    status: 503,
    zh_CN: '无法连接对方平台：{reason}',
    en_US: 'The other platform cannot be reached: {reason}',
  },
  RECEIVED_READ_ONLY: {
    status: 409,
    zh_CN: '“{name}”由另一平台同步而来，只能修改其应用；请在来源平台修改，或先接管',
    en_US:
      '{name} was synced from another platform: only its application can be changed here; change it on that platform, or take it over first',
  },
  NOT_RECEIVED: {
    status: 409,
    zh_CN: '“{name}”由本平台管理，无需接管',
    en_US: '{name} is managed by this platform, there is no need to take it over',
  },
} as const satisfies Record<string, Text & { status: number }>;

/** Why the other platform did not accept an item, or why it could not be sent. */
export const syncProblemTexts = {
  productIdTaken: {
    zh_CN: '对方平台已有 ID 相同的产品（{id}），且不是由本平台同步的',
    en_US: 'The other platform already has a product with this ID that was not synced from here: {id}',
  },
  deviceIdTaken: {
    zh_CN: '对方平台已有 ID 相同的设备（{id}），且不是由本平台同步的',
    en_US: 'The other platform already has a device with this ID that was not synced from here: {id}',
  },
  productNameTaken: {
    zh_CN: '对方平台的租户下已有同名产品“{name}”',
    en_US: 'The tenant on the other platform already has a product with this name: {name}',
  },
  productMissing: {
    zh_CN: '对方平台没有该设备的产品（{productId}），请先同步物模型',
    en_US: "The other platform does not have the device's product ({productId}); sync the model first",
  },
  productDiffers: {
    zh_CN: '该设备在对方平台属于另一产品（{productId}）',
    en_US: 'On the other platform the device belongs to another product ({productId})',
  },
  invalid: {
    zh_CN: '内容不符合规则：{field} {reason}',
    en_US: 'Invalid content: {field} {reason}',
  },
  ownItem: {
    zh_CN: '该内容来自对方平台，不会同步回去',
    en_US: 'This item comes from the other platform and is not synced back',
  },
  tooLarge: {
    zh_CN: '内容过大（{bytes} 字节），无法发送',
    en_US: 'The content is too large to send ({bytes} bytes)',
  },
  noApiKey: {
    zh_CN: '该节点没有 API 密钥，请在可用区中填写对方平台创建的密钥',
    en_US: 'The node has no API key: enter one created on the other platform',
  },
  takenOver: {
    zh_CN: '对方平台已接管该内容，不再由本平台同步',
    en_US: 'The other platform has taken over this item; it is no longer synced from here',
  },
  otherKey: {
    zh_CN: '对方平台以另一个有效的 API 密钥接收该内容；请使用该密钥，或在对方平台撤销该密钥',
    en_US: 'The other platform receives this item with another valid API key; use that key, or revoke it there',
  },
  newerThere: {
    zh_CN: '对方平台的版本较新，未采用本平台的内容；如需以本平台为准，请使用“全部重新发送”',
    en_US:
      'The other platform has a newer revision and did not accept this one; use "Send everything again" to replace it',
  },
  olderThere: {
    zh_CN: '对方平台的版本较旧',
    en_US: 'The other platform has an older revision',
  },
  missingThere: {
    zh_CN: '对方平台没有该内容，可能已被删除',
    en_US: 'The other platform no longer has this item; it may have been deleted there',
  },
  receiverChanged: {
    zh_CN: '节点现在指向另一平台、租户或应用，该内容之前发送到了原来的目标',
    en_US:
      'The node now points to another platform, tenant or application; this item was delivered to the previous one',
  },
  fault: {
    zh_CN: '对方平台处理时出错',
    en_US: 'The other platform failed to process this item',
  },
} as const satisfies Record<string, Text>;

export type SyncProblem = keyof typeof syncProblemTexts;

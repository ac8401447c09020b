import type { Text } from './language.ts';

/** What is refused about synchronisation. */
export const syncErrors = {
  SYNC_RECORD_NOT_FOUND: { status: 404, zh_CN: '同步记录不存在', en_US: 'The sync record does not exist' },
  SYNC_NO_TARGET: {
    status: 409,
    zh_CN: '该可用区没有节点，不是同步目标',
    en_US: 'The zone has no nodes and is no target of synchronisation',
  },
  SYNC_TARGET_UNAVAILABLE: {
    status: 503,
    zh_CN: '无法询问对方：{reason}',
    en_US: 'The other side cannot be asked: {reason}',
  },
  RECEIVED_READ_ONLY: {
    status: 409,
    zh_CN: '“{name}”由另一平台同步而来，只能修改其应用；请在来源平台修改，或先接管',
    en_US:
      'It was synchronised from another platform and only its application can be changed here, unless it is taken over first: {name}',
  },
  NOT_RECEIVED: {
    status: 409,
    zh_CN: '“{name}”由本平台管理，无需接管',
    en_US: 'It is managed by this hub already: {name}',
  },
} as const satisfies Record<string, Text & { status: number }>;

/** Why one item is not taken by the other side, or could not be sent to it. */
export const syncProblemTexts = {
  productIdTaken: {
    zh_CN: '对方已有同 ID 的产品（{id}），且不是由此来源同步的',
    en_US: 'The other side has a product of this id already, which did not come from here: {id}',
  },
  deviceIdTaken: {
    zh_CN: '对方已有同 ID 的设备（{id}），且不是由此来源同步的',
    en_US: 'The other side has a device of this id already, which did not come from here: {id}',
  },
  productNameTaken: {
    zh_CN: '对方租户下已有同名产品“{name}”',
    en_US: 'The tenant on the other side has another product of this name: {name}',
  },
  productMissing: {
    zh_CN: '对方没有该设备的产品（{productId}），请先同步物模型',
    en_US: 'The other side does not have the product of the device ({productId}); synchronise the model first',
  },
  productDiffers: {
    zh_CN: '该设备在对方属于另一产品（{productId}）',
    en_US: 'On the other side the device is of another product ({productId})',
  },
  invalid: {
    zh_CN: '内容不符合规则：{field} {reason}',
    en_US: 'The content breaks a rule: {field} {reason}',
  },
  ownItem: {
    zh_CN: '该内容源自对方，不会送回',
    en_US: 'It comes from the other side and is not sent back there',
  },
  tooLarge: {
    zh_CN: '内容过大（{bytes} 字节），无法发送',
    en_US: 'It is too large to be sent ({bytes} bytes)',
  },
  noApiKey: {
    zh_CN: '该节点没有 API 密钥，请在可用区中填写对方创建的密钥',
    en_US: 'The node has no API key: put in one that the other side has made',
  },
  takenOver: {
    zh_CN: '对方已将其接管为自有内容，不再由此处同步',
    en_US: 'The other side has taken it over as its own; it is no longer synchronised from here',
  },
  otherKey: {
    zh_CN: '对方以另一个仍有效的 API 密钥接收该内容；请使用该密钥，或在对方撤销它',
    en_US: 'The other side receives it with another API key that still works; use that key, or revoke it there',
  },
  newerThere: {
    zh_CN: '对方的版本更新，未采用此处的内容；如需以此处为准，请使用“全部重新发送”',
    en_US: 'The other side has a later revision and did not take this one; use "Send everything again" to replace it',
  },
  olderThere: {
    zh_CN: '对方的版本较旧',
    en_US: 'The other side has an earlier revision',
  },
  missingThere: {
    zh_CN: '对方已没有该内容，可能已在对方被删除',
    en_US: 'The other side no longer has it; it may have been deleted there',
  },
  receiverChanged: {
    zh_CN: '节点现在指向另一平台、租户或应用，此前的内容发送到了别处',
    en_US: 'The node now leads to another installation, tenant or application; this was delivered to the previous one',
  },
  fault: {
    zh_CN: '对方处理时出错',
    en_US: 'The other side failed to take it in',
  },
} as const satisfies Record<string, Text>;

export type SyncProblem = keyof typeof syncProblemTexts;

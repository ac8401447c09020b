export { isDeeperThan } from './bounded.ts';
export * from './calls.ts';
export * from './define-call.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './field-path.ts';
export * from './field-texts.ts';
export * as fields from './fields.ts';
export {
  BATCH_MAX,
  CATEGORY_NAME_MAX,
  categoryNameLength,
  containsAccount,
  DESCRIPTION_MAX_BYTES,
  NAME_MAX,
  NOT_IN_NAMES,
  passwordClasses,
  utf8Bytes,
  VERSION_NUMBER_MAX,
} from './fields.ts';
export * from './http/account.ts';
export * from './http/api-key.ts';
export * from './http/application.ts';
export * from './http/audit.ts';
export * from './http/broker-auth.ts';
export * from './http/bucket.ts';
export * from './http/category.ts';
export * from './http/connection.ts';
export * from './http/control.ts';
export * from './http/device.ts';
export * from './http/device-attributes.ts';
export * from './http/firmware.ts';
export * from './http/function-list.ts';
export * from './http/home.ts';
export * from './http/mock.ts';
export * from './http/model.ts';
export * from './http/offline-reason.ts';
export * from './http/ota.ts';
export {
  REHEARSAL_DEVICES_MAX,
  TASK_DEVICES_MAX,
  TASK_LENGTH_MS,
  TASK_RANK_MAX,
  TASK_STAGES_MAX,
  type TaskDetails,
  type TaskLogRow,
  type TaskPreview,
  type TaskRow,
  UPGRADE_TIMEOUT_MINUTES,
  type UpgradeRow,
} from './http/ota-task.ts';
export * from './http/outbox.ts';
export * from './http/personal.ts';
export * from './http/product.ts';
export * from './http/quota.ts';
export * from './http/record.ts';
export * from './http/rejected-login.ts';
export * from './http/role.ts';
export * from './http/sync.ts';
export * from './http/sync-delivery.ts';
export * from './http/takeover.ts';
export * from './http/tenancy.ts';
export * from './http/user.ts';
export * from './http/zone.ts';
export {
  CERTIFICATE_MAX_BYTES,
  certificateExtensions,
  changedZoneFields,
  innerNodeFields,
  innerNodes,
  outerNodeFields,
  outerNodes,
  ServerType,
  ZONE_ID_MAX,
  ZONE_NODES_MAX,
  ZoneType,
  zoneFields,
} from './http/zone-fields.ts';
export * from './language.ts';
export * from './model/data-type.ts';
export * from './model/default-value.ts';
export * from './model/difference.ts';
export * from './model/function-definition.ts';
export * from './model/generate/c-header.ts';
export * from './model/generate/index.ts';
export * from './model/generate/json-schema.ts';
export * from './model/generate/typescript.ts';
export * from './model/model-file.ts';
export * from './model/product-kinds.ts';
export * from './model/system-functions.ts';
export * from './model/tsl/from-tsl.ts';
export * from './model/tsl/to-tsl.ts';
export * from './model/value.ts';
export * from './mqtt/index.ts';
export * from './paging.ts';
export * from './permissions.ts';
export * from './rules/ota-task.ts';
export * from './rules/ota-texts.ts';
export * from './rules/version-number.ts';
export { type SyncProblem, syncProblemTexts } from './sync-errors.ts';
export * from './time-zone.ts';
export * from './visible-text.ts';
export { type NodeProblem, nodeProblems, nodeProblemTexts } from './zone-errors.ts';

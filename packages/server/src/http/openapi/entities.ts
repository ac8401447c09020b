import {
  apiKeyCalls,
  applicationCalls,
  auditCalls,
  bucketCalls,
  type Call,
  categoryCalls,
  controlCalls,
  deviceCalls,
  firmwareCalls,
  homeCalls,
  mockCalls,
  modelCalls,
  otaCalls,
  outboxCalls,
  personalCalls,
  productCalls,
  recordCalls,
  roleCalls,
  syncCalls,
  tenancyCalls,
  userCalls,
  zoneCalls,
} from '@device-center/contract';
import { z } from 'zod';

const listed = (schema: z.ZodType): z.ZodType => {
  if (!(schema instanceof z.ZodArray)) throw new Error('not a list');
  return schema.element as z.ZodType;
};

/** Row type of a call that returns pages. */
const rowOf = ({ output }: Call): z.ZodType => {
  if (!(output instanceof z.ZodObject)) throw new Error('not a page');
  return listed(output.shape.list);
};

const itemOf = ({ output }: Call): z.ZodType => listed(output);

/** Response types of calls, by the name that generated code uses. */
const entities: Record<string, z.ZodType> = {
  ApiKey: rowOf(apiKeyCalls.queryApiKeyList),
  Application: rowOf(applicationCalls.queryApplicationList),
  AttentionItem: itemOf(homeCalls.getAttentionList),
  AuditEntry: rowOf(auditCalls.queryAuditLogList),
  BlacklistedDevice: rowOf(controlCalls.blackList),
  Category: rowOf(categoryCalls.getCategoryList),
  CategoryFunction: rowOf(categoryCalls.getOpenFunctions),
  Command: rowOf(controlCalls.getDeviceCommands),
  CommandResult: controlCalls.commandDeviceFunction.output,
  ConnectionEvent: rowOf(recordCalls.deviceConnectRecord),
  Device: rowOf(deviceCalls.queryDeviceList),
  DeviceAddress: bucketCalls.getConnectBucket.output,
  DeviceConfiguration: controlCalls.getDeviceConfiguration.output,
  DeviceDetails: deviceCalls.getDeviceDetails.output,
  DeviceLogin: bucketCalls.loginDevice.output,
  DeviceLogLine: rowOf(recordCalls.queryDeviceLogList),
  FirmwareFile: firmwareCalls.getFirmwareFile.output,
  FirmwareVersion: rowOf(firmwareCalls.queryDeviceOtaVersionList),
  LatestValue: itemOf(recordCalls.getLatestValues),
  MessageRecord: rowOf(recordCalls.deviceMessageRecord),
  MockDevice: rowOf(mockCalls.queryMockDeviceList),
  MockDeviceDetails: mockCalls.getMockDeviceDetails.output,
  ModelChange: modelCalls.previewProductModel.output,
  ModelVersion: itemOf(modelCalls.getModelVersions),
  OutboxMessage: rowOf(outboxCalls.queryOutboxList),
  Product: rowOf(productCalls.queryDeviceProductList),
  ProductFunction: itemOf(modelCalls.getDeviceFunctionDefinitionList),
  Role: rowOf(roleCalls.queryRoleList),
  SyncCount: rowOf(syncCalls.querySyncRecordCount),
  SyncRecord: rowOf(syncCalls.querySyncRecordList),
  SyncRecordDetails: syncCalls.getSyncRecord.output,
  Tenancy: rowOf(tenancyCalls.queryTenancyList),
  DeviceUpgrade: rowOf(otaCalls.deviceOtaList),
  UpgradeTask: rowOf(otaCalls.queryDeviceOtaTaskList),
  UpgradeTaskDetails: otaCalls.getDeviceOtaTaskDetails.output,
  User: rowOf(userCalls.queryUserList),
  UserSession: itemOf(personalCalls.getSessions),
  Zone: rowOf(zoneCalls.queryZoneList),
  ZoneDetails: zoneCalls.getZoneDetail.output,
  ZoneNodeTest: zoneCalls.testZoneNode.output,
};

/** Registry for zod, which describes a named schema once and references it. */
export const entityNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(entities)) entityNames.add(schema, { id });

export const isEntity = (name: string): boolean => Object.hasOwn(entities, name);

import { attributeKind, type DeviceAttribute, deviceAttributeNames } from '@device-center/contract';
import { currentLanguage } from './language.ts';

export const isDeviceAttribute = (field: string): field is DeviceAttribute =>
  deviceAttributeNames.some((name) => name === field);

export const attributeLabel = (name: DeviceAttribute): string => attributeKind(name).label[currentLanguage()];

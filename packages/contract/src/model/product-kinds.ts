import type { Language, Text } from '../language.ts';

export const NodeType = { monomer: 1, gateway: 2, child: 3 } as const;

export const nodeTypes = {
  1: { zh_CN: '单体设备', en_US: 'Monomer' },
  2: { zh_CN: '网关设备', en_US: 'Gateway' },
  3: { zh_CN: '网关子设备', en_US: 'Gateway child' },
} as const satisfies Record<number, Text>;

export const protocols = {
  1: { zh_CN: 'WIFI', en_US: 'WIFI' },
  2: { zh_CN: 'LoRaWAN', en_US: 'LoRaWAN' },
  3: { zh_CN: '以太网', en_US: 'Ethernet' },
  4: { zh_CN: '蜂窝', en_US: 'Cellular' },
  5: { zh_CN: '其他', en_US: 'Other' },
} as const satisfies Record<number, Text>;

export const productClasses = {
  1: { zh_CN: '家居', en_US: 'Home' },
  2: { zh_CN: '楼宇', en_US: 'Building' },
  3: { zh_CN: '工业', en_US: 'Industry' },
  4: { zh_CN: '能源', en_US: 'Energy' },
  5: { zh_CN: '城市', en_US: 'City' },
  6: { zh_CN: '农业', en_US: 'Agriculture' },
  7: { zh_CN: '健康', en_US: 'Health' },
  8: { zh_CN: '其他', en_US: 'Other' },
} as const satisfies Record<number, Text>;

export const nodeTypeIds = [1, 2, 3] as const;
export const protocolIds = [1, 2, 3, 4, 5] as const;
export const productClassIds = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type NodeTypeId = (typeof nodeTypeIds)[number];
export type ProtocolId = (typeof protocolIds)[number];
export type ProductClassId = (typeof productClassIds)[number];

/** 1 online, 2 offline. */
export const onlineNames = {
  1: { zh_CN: '在线', en_US: 'Online' },
  2: { zh_CN: '离线', en_US: 'Offline' },
} as const satisfies Record<number, Text>;

/** Options of a form field or filter in the given language. */
export const optionsOf = <Id extends number>(
  names: Record<Id, Text>,
  ids: readonly Id[],
  language: Language,
): { value: Id; label: string }[] => ids.map((value) => ({ value, label: names[value][language] }));

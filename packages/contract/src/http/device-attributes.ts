import { z } from 'zod';
import { blankable, mac } from '../fields.ts';
import type { Text } from '../language.ts';

type AttributeKind = {
  /** Accepts '' for an unknown value. */
  rule: () => z.ZodString;
  label: Text;
  /** Shown in a monospaced font, as a number or address to copy. */
  mono?: boolean;
  /** The device may report it when it logs in. */
  reported?: boolean;
};

/**
 * Descriptive attributes of a device, which do not affect the hub's behaviour. All code that handles devices uses this
 * list: adding devices singly and by file, updates, list, details, export, audit and synchronisation. Each is a text
 * column of the table `device`, with the same name in snake case.
 */
export const deviceAttributes = {
  mac: { rule: mac, label: { zh_CN: 'MAC', en_US: 'MAC' }, mono: true, reported: true },
} as const satisfies Record<string, AttributeKind>;

export type DeviceAttribute = keyof typeof deviceAttributes;
export type DeviceAttributes = Record<DeviceAttribute, string>;

export const deviceAttributeNames = Object.keys(deviceAttributes) as DeviceAttribute[];
export const attributeKind = (name: DeviceAttribute): AttributeKind => deviceAttributes[name];

/** Maps each attribute name to a value. */
export const mapAttributes = <Value>(getValue: (name: DeviceAttribute) => Value): Record<DeviceAttribute, Value> =>
  Object.fromEntries(deviceAttributeNames.map((name) => [name, getValue(name)])) as Record<DeviceAttribute, Value>;

export const attributeOutputs = mapAttributes(() => z.string());
export const newDeviceAttributes = mapAttributes((name) => blankable(attributeKind(name).rule()));
/** '' clears an attribute; omitted ones stay unchanged. */
export const changedAttributes = mapAttributes((name) => attributeKind(name).rule().optional());

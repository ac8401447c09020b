import { firmwareCalls } from '@device-center/contract';
import { makeVersion, someBytes, uploaded } from '../firmware-fixtures.ts';
import { unique } from '../hub.ts';
import type { Commands } from './done.ts';

/** How the calls about firmware come to succeed. */
export const firmwareCommands: Commands = (hub, tenancyId) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });
  const newFields = async (productId: string) => {
    const { firmwareUri, nickName } = await uploaded(admin, someBytes(10), { tenancyId });
    return { versionName: unique('v'), versionNumber: `1.${Date.now()}`, productId, firmwareUri, nickName };
  };
  const made = async () => {
    const productId = await hub.create.product(tenancyId);
    const fields = await newFields(productId);
    return { fields, ...(await admin.ok(firmwareCalls.addDeviceOtaVersion, fields)) };
  };

  return {
    'firmware.addDeviceOtaVersion': async () => {
      const after = await newFields(await hub.create.product(tenancyId));
      const answer = await admin.call(firmwareCalls.addDeviceOtaVersion, after);
      return { answer, expected: { ...by(answer.success ? answer.data.versionId : ''), after } };
    },
    'firmware.updateDeviceOtaVersion': async () => {
      const { versionId, fields: before } = await made();
      const after = await newFields(before.productId);
      const answer = await admin.call(firmwareCalls.updateDeviceOtaVersion, { versionId, ...after });
      return { answer, expected: { ...by(versionId), before, after } };
    },
    'firmware.deleteDeviceOtaVersion': async () => {
      const { versionId, fields: before } = await made();
      const other = await makeVersion(hub, { productId: before.productId, tenancyId });
      const versionIds = [other.versionId, versionId];
      const answer = await admin.call(firmwareCalls.deleteDeviceOtaVersion, { versionIds });
      return { answer, expected: { ...by(versionId), before } };
    },
    'firmware.deleteDeviceOtaFile': async () => {
      const { firmwareUri: name, nickName, size } = await uploaded(admin, someBytes(10), { tenancyId });
      const answer = await admin.call(firmwareCalls.deleteDeviceOtaFile, { name });
      return { answer, expected: { ...by(name.slice('fw/'.length)), before: { nickName, size, state: 'ready' } } };
    },
  };
};

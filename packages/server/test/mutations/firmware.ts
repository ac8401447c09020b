import { firmwareCalls } from '@device-center/contract';
import { createVersion, randomContent, uploaded } from '../firmware-fixtures.ts';
import { unique } from '../hub.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of firmware. */
export const firmwareMutations: Mutations = (hub, tenancyId) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });
  const newFields = async (productId: string) => {
    const { firmwareUri, nickName } = await uploaded(admin, randomContent(10), { tenancyId });
    return { versionName: unique('v'), versionNumber: `1.${Date.now()}`, productId, firmwareUri, nickName };
  };
  const created = async () => {
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
      const { versionId, fields: before } = await created();
      const after = await newFields(before.productId);
      const answer = await admin.call(firmwareCalls.updateDeviceOtaVersion, { versionId, ...after });
      return { answer, expected: { ...by(versionId), before, after } };
    },
    'firmware.deleteDeviceOtaVersion': async () => {
      const { versionId, fields: before } = await created();
      const other = await createVersion(hub, { productId: before.productId, tenancyId });
      const versionIds = [other.versionId, versionId];
      const answer = await admin.call(firmwareCalls.deleteDeviceOtaVersion, { versionIds });
      return { answer, expected: { ...by(versionId), before } };
    },
    'firmware.deleteDeviceOtaFile': async () => {
      const { firmwareUri: name, nickName, size } = await uploaded(admin, randomContent(10), { tenancyId });
      const answer = await admin.call(firmwareCalls.deleteDeviceOtaFile, { name });
      return { answer, expected: { ...by(name.slice('fw/'.length)), before: { nickName, size, state: 'ready' } } };
    },
  };
};

import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { id } from '../fields.ts';

const manage = '/iot-hub/admin/device';

/** Makes items received from another platform managed here. */
export const productTakeoverCalls = defineCalls({
  takeOverProduct: {
    method: 'POST',
    path: `${manage}/product/takeOverProduct`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：接管由另一平台同步而来的产品及其设备；此后由本平台管理，不再接收来源平台的更新',
      en_US:
        'Extension: take over a received product with its received devices; they are then managed here, and deliveries from their former origin are rejected',
    },
    input: z.object({ productId: id() }),
    /** Number of devices taken over with the product. */
    output: z.object({ devices: z.int() }),
  },
});

export const deviceTakeoverCalls = defineCalls({
  takeOverDevice: {
    method: 'POST',
    path: `${manage}/manage/takeOverDevice`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：接管由另一平台同步而来的设备；此后由本平台管理，不再接收来源平台的更新',
      en_US:
        'Extension: take over a received device; it is then managed here, and deliveries from its former origin are rejected',
    },
    input: z.object({ deviceId: id() }),
    output: z.null(),
  },
});

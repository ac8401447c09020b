import { Menu } from '@device-center/contract';
import type { z } from 'zod';
import { deviceParams } from '../../../filters/device-params.ts';
import { listSearch, textParam } from '../../../ui/list-search.ts';

export const deviceListSearch = listSearch({ ...deviceParams, productId: textParam() });
export type DeviceListSearch = z.output<typeof deviceListSearch>;

/** The devices of one product, on a tab of its page. */
export const productDevicesSearch = listSearch({ ...deviceParams, tab: textParam() });

export const qrMenus: readonly number[] = [Menu.deviceList, Menu.mockList];

import { deviceCalls, productCalls } from '@device-center/contract';
import { useEffect, useState } from 'react';
import { useCan } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';
import { devicePath, productPath } from '../paths.ts';
import type { Path } from '../ui/routing.ts';

const TYPING_PAUSE_MS = 200;
const SHOWN = 5;

export type Found = { id: string; name: string; path: Path };

/** Searches devices and products by name or id, as far as the user may see them, when typing pauses. */
export const usePaletteSearch = (typed: string): { devices: Found[]; products: Found[] } => {
  const [searchText, setSearchText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const mayDevices = useCan('device:list');
  const mayProducts = useCan('product:read');
  const input = { searchValue: searchText, pageSize: SHOWN };
  const devices = useCall(deviceCalls.queryDeviceList, input, { enabled: mayDevices && searchText !== '' });
  const products = useCall(productCalls.queryDeviceProductList, input, { enabled: mayProducts && searchText !== '' });
  return {
    devices: (devices.data?.list ?? []).map(({ deviceId, deviceName }) => ({
      id: deviceId,
      name: deviceName,
      path: devicePath(deviceId),
    })),
    products: (products.data?.list ?? []).map(({ productId, productName }) => ({
      id: productId,
      name: productName,
      path: productPath(productId),
    })),
  };
};

/** Pages of other slices, by address: a slice imports no other. */
export const productPath = (productId: string): string => `/detail/detailProduct/${productId}`;
export const devicePath = (deviceId: string): string => `/detail/detailDevice/${deviceId}`;
export const panelPath = (deviceId: string): string => `/detail/detailMock/${deviceId}`;
export const addProductPath = '/add/addProduct';
export const addMockPath = '/add/addMock';

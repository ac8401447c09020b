export const mockListPath = '/deviceMock/mockList';
export const addMockPath = '/add/addMock';
export const mockPath = (deviceId: string): string => `/detail/detailMock/${deviceId}`;

/** Pages of other slices, by address: a slice imports no other. */
export const devicePath = (deviceId: string): string => `/detail/detailDevice/${deviceId}`;
export const qrPath = (deviceId: string): string => `/detail/qrCode/${deviceId}`;
export const productFormPath = '/add/addProduct';
export const guidePath = '/message/messageChart';

export const mockListPath = '/deviceMock/mockList';
export const addMockPath = '/add/addMock';
export const mockPath = (deviceId: string): string => `/detail/detailMock/${deviceId}`;

export const mock = {
  title: '模拟设备',
} as const;

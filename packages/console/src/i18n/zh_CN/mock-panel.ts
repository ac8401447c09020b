export const mockPanel = {
  title: '控制台',
} as const;

export const guide = {
  title: '五分钟上手',
} as const;

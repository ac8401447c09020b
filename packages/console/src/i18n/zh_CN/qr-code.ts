export const qrCode = {
  title: '二维码',
} as const;

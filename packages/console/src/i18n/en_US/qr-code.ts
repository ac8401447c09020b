import type { Texts } from '../texts.ts';
import type { qrCode as chinese } from '../zh_CN/qr-code.ts';

export const qrCode: Texts<typeof chinese> = {
  title: 'QR codes',
};

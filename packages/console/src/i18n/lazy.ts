import type { Language } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from './language.ts';

type Bundle = Record<string, string>;

/** Large namespaces that few pages use: they are loaded together with those pages. */
const bundles = {
  apiKey: {
    zh_CN: async () => (await import('./zh_CN/api-key.ts')).apiKey,
    en_US: async () => (await import('./en_US/api-key.ts')).apiKey,
  },
  auditActions: {
    zh_CN: async () => (await import('./zh_CN/audit-actions.ts')).auditActions,
    en_US: async () => (await import('./en_US/audit-actions.ts')).auditActions,
  },
  auditFields: {
    zh_CN: async () => (await import('./zh_CN/audit-fields.ts')).auditFields,
    en_US: async () => (await import('./en_US/audit-fields.ts')).auditFields,
  },
  device: {
    zh_CN: async () => (await import('./zh_CN/device.ts')).device,
    en_US: async () => (await import('./en_US/device.ts')).device,
  },
  deviceDetail: {
    zh_CN: async () => (await import('./zh_CN/device-detail.ts')).deviceDetail,
    en_US: async () => (await import('./en_US/device-detail.ts')).deviceDetail,
  },
  firmware: {
    zh_CN: async () => (await import('./zh_CN/firmware.ts')).firmware,
    en_US: async () => (await import('./en_US/firmware.ts')).firmware,
  },
  home: {
    zh_CN: async () => (await import('./zh_CN/home.ts')).home,
    en_US: async () => (await import('./en_US/home.ts')).home,
  },
  guide: {
    zh_CN: async () => (await import('./zh_CN/guide.ts')).guide,
    en_US: async () => (await import('./en_US/guide.ts')).guide,
  },
  mock: {
    zh_CN: async () => (await import('./zh_CN/mock.ts')).mock,
    en_US: async () => (await import('./en_US/mock.ts')).mock,
  },
  mockPanel: {
    zh_CN: async () => (await import('./zh_CN/mock-panel.ts')).mockPanel,
    en_US: async () => (await import('./en_US/mock-panel.ts')).mockPanel,
  },
  mockTabs: {
    zh_CN: async () => (await import('./zh_CN/mock-tabs.ts')).mockTabs,
    en_US: async () => (await import('./en_US/mock-tabs.ts')).mockTabs,
  },
  model: {
    zh_CN: async () => (await import('./zh_CN/model.ts')).model,
    en_US: async () => (await import('./en_US/model.ts')).model,
  },
  ota: {
    zh_CN: async () => (await import('./zh_CN/ota.ts')).ota,
    en_US: async () => (await import('./en_US/ota.ts')).ota,
  },
  otaDetail: {
    zh_CN: async () => (await import('./zh_CN/ota-detail.ts')).otaDetail,
    en_US: async () => (await import('./en_US/ota-detail.ts')).otaDetail,
  },
  otaForm: {
    zh_CN: async () => (await import('./zh_CN/ota-form.ts')).otaForm,
    en_US: async () => (await import('./en_US/ota-form.ts')).otaForm,
  },
  personal: {
    zh_CN: async () => (await import('./zh_CN/personal.ts')).personal,
    en_US: async () => (await import('./en_US/personal.ts')).personal,
  },
  product: {
    zh_CN: async () => (await import('./zh_CN/product.ts')).product,
    en_US: async () => (await import('./en_US/product.ts')).product,
  },
  qrCode: {
    zh_CN: async () => (await import('./zh_CN/qr-code.ts')).qrCode,
    en_US: async () => (await import('./en_US/qr-code.ts')).qrCode,
  },
  quota: {
    zh_CN: async () => (await import('./zh_CN/quota.ts')).quota,
    en_US: async () => (await import('./en_US/quota.ts')).quota,
  },
  rejected: {
    zh_CN: async () => (await import('./zh_CN/rejected.ts')).rejected,
    en_US: async () => (await import('./en_US/rejected.ts')).rejected,
  },
  sync: {
    zh_CN: async () => (await import('./zh_CN/sync.ts')).sync,
    en_US: async () => (await import('./en_US/sync.ts')).sync,
  },
  zone: {
    zh_CN: async () => (await import('./zh_CN/zone.ts')).zone,
    en_US: async () => (await import('./en_US/zone.ts')).zone,
  },
  zoneForm: {
    zh_CN: async () => (await import('./zh_CN/zone-form.ts')).zoneForm,
    en_US: async () => (await import('./en_US/zone-form.ts')).zoneForm,
  },
} satisfies Record<string, Record<Language, () => Promise<Bundle>>>;

export type LazyTexts = keyof typeof bundles;
export const lazyTexts = Object.keys(bundles) as LazyTexts[];
/** Their keys, taken from the Chinese files. */
export type LazyResources = { [Name in LazyTexts]: Awaited<ReturnType<(typeof bundles)[Name]['zh_CN']>> };

export const loadLazyTexts = async (name: LazyTexts): Promise<void> => {
  const language = currentLanguage();
  const bundle: Bundle = await bundles[name][language]();
  i18next.addResourceBundle(language, name, bundle, true, true);
};

/** Loads a page together with its lazy namespaces. */
export const withTexts =
  <Page>(load: () => Promise<Page>, ...names: LazyTexts[]): (() => Promise<Page>) =>
  async () => {
    const [page] = await Promise.all([load(), ...names.map(loadLazyTexts)]);
    return page;
  };

import { Menu, mayUse, type Permission } from '@device-center/contract';
import i18next from 'i18next';
import { currentSession } from '../../../api/session.ts';

export const stepIds = ['product', 'mock', 'online', 'value', 'command'] as const;
export type StepId = (typeof stepIds)[number];

const requirements: Record<StepId, { permission: Permission; menuId: number } | null> = {
  product: { permission: 'product:write', menuId: Menu.productList },
  mock: { permission: 'mock:use', menuId: Menu.mockList },
  online: null,
  value: null,
  command: { permission: 'device:write', menuId: Menu.deviceList },
};

/** The menu that the role lacks for a step; null if none. */
export const missingMenuFor = (step: StepId, menus = currentSession()?.menus ?? new Set<number>()): number | null => {
  const requirement = requirements[step];
  return requirement === null || mayUse(requirement.permission, menus) ? null : requirement.menuId;
};

/** Thrown by the guide when a step needs a menu that the role lacks, before the hub would reject the call. */
export class MissingMenu extends Error {
  override readonly name = 'MissingMenu';
  readonly menuId: number;

  constructor(menuId: number, message: string) {
    super(message);
    this.menuId = menuId;
  }
}

export const menuText = (menuId: number): string => {
  const names: Record<number, string> = {
    [Menu.applyList]: i18next.t('application:listTitle'),
    [Menu.productList]: i18next.t('shell:productListTitle'),
    [Menu.deviceList]: i18next.t('shell:deviceListTitle'),
    [Menu.mockList]: i18next.t('shell:mockListTitle'),
  };
  return i18next.t('guide:missingMenu', { name: names[menuId] ?? '', menuId: String(menuId) });
};

import { type SampleIds, screensOf } from './screens.ts';

export type Role = 'the platform operator' | 'a tenant user with two menus';
export const roles = ['the platform operator', 'a tenant user with two menus'] as const satisfies readonly Role[];

type PageOfConsole = { path: string; menus: readonly number[] };

// Not by a plain import: the console's own types need settings that the tests do not have.
const source = new URL('../packages/console/src/app/pages.ts', import.meta.url).href;
const { pages } = (await import(source)) as { pages: readonly PageOfConsole[] };

const pageOf = (address: string): PageOfConsole | undefined => {
  const [path = ''] = address.split('?');
  return pages.find((page) => new RegExp(`^${page.path.replace(/\$\w+/g, '[^/]+')}$`).test(path));
};

/** Whether the role has one of the menus that the console asks for at this address. */
export const mayOpen = (address: string, role: Role, { fewMenus }: SampleIds): boolean => {
  const menus = pageOf(address)?.menus ?? [];
  return role === roles[0] || menus.length === 0 || menus.some((menu) => fewMenus.menus.includes(menu));
};

/** ONLY=zone limits the tests to screens of that name, during development. */
const only = new RegExp(process.env.ONLY ?? '');
export const isWhole = !process.env.ONLY;
export const screensToSee = (sample: SampleIds): [name: string, address: string][] =>
  Object.entries(screensOf(sample)).filter(([name]) => only.test(name));

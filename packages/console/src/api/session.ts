import { type accountCalls, mayUse, type Output, type Permission } from '@device-center/contract';
import { create } from 'zustand';
import { saveReturnPath } from './return-path.ts';

type LoginAnswer = Output<typeof accountCalls.login>;

/** Local storage keys, as listed in decisions.md; `language` and `sidebarStatus` are stored by their own modules. */
const KEYS = [
  'Authorization',
  'roleId',
  'isFirst',
  'userId',
  'username',
  'email',
  'phone',
  'image',
  'tenancyName',
  'tenancyId',
  'menus',
] as const;

export type Session = {
  token: string;
  roleId: string;
  isFirst: boolean;
  userId: string;
  username: string;
  email: string;
  phone: string;
  image: string;
  tenancyName: string;
  tenancyId: string;
  menus: ReadonlySet<number>;
};

const readMenus = (): ReadonlySet<number> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem('menus') ?? '[]');
    return new Set(Array.isArray(stored) ? stored.map(Number).filter(Number.isInteger) : []);
  } catch {
    return new Set();
  }
};

const readSession = (): Session | null => {
  const read = (key: (typeof KEYS)[number]) => localStorage.getItem(key) ?? '';
  const token = read('Authorization');
  if (token === '') return null;
  return {
    token,
    roleId: read('roleId'),
    isFirst: read('isFirst') === '1',
    userId: read('userId'),
    username: read('username'),
    email: read('email'),
    phone: read('phone'),
    image: read('image'),
    tenancyName: read('tenancyName'),
    tenancyId: read('tenancyId'),
    menus: readMenus(),
  };
};

const store = create<{ session: Session | null }>(() => ({ session: readSession() }));

const reread = (): void => store.setState({ session: readSession() });

export const currentSession = (): Session | null => store.getState().session;
export const useSession = (): Session | null => store((state) => state.session);

export const saveSession = (answer: LoginAnswer): void => {
  const { token, menus, isFirst, roleId, userId, username, email, phone, image, tenancyName, tenancyId } = answer;
  const texts = { roleId, userId, username, email, phone, image, tenancyName, tenancyId };
  for (const [key, value] of Object.entries(texts)) localStorage.setItem(key, value);
  localStorage.setItem('Authorization', token);
  localStorage.setItem('isFirst', String(isFirst));
  localStorage.setItem('menus', JSON.stringify(menus));
  reread();
};

/** Updates the stored copy after the user changed their own data. */
export const updateSession = (
  change: Partial<Record<'email' | 'phone' | 'image' | 'isFirst' | 'tenancyName', string>>,
): void => {
  for (const [key, value] of Object.entries(change)) localStorage.setItem(key, value);
  reread();
};

export const updateMenus = (menus: number[]): void => {
  localStorage.setItem('menus', JSON.stringify(menus));
  reread();
};

/** Logout: the account name stays, so that the login page can prefill it. */
export const endSession = (): void => {
  for (const key of KEYS) if (key !== 'username') localStorage.removeItem(key);
  reread();
};

/** Spec §8: an expired token clears all local storage. */
export const clearStorage = (): void => {
  localStorage.clear();
  reread();
};

export const storedUsername = (): string => localStorage.getItem('username') ?? '';

/** Reloads this tab when another tab logs in or out: it must not keep showing pages of the old account. */
export const watchOtherTabs = (): void =>
  window.addEventListener('storage', (event) => {
    const session = currentSession();
    // A null key means that the whole storage was cleared: the session has ended in all tabs.
    if (event.key === null && session) saveReturnPath(session.userId);
    if (event.key === 'Authorization' || event.key === null) location.assign('/');
  });

export const can = (permission: Permission): boolean => {
  const session = currentSession();
  return session !== null && mayUse(permission, session.menus);
};

export const useCan = (permission: Permission): boolean => {
  const session = useSession();
  return session !== null && mayUse(permission, session.menus);
};

export const mayOpen = (menus: readonly number[], session: Session | null): boolean =>
  session !== null && (menus.length === 0 || menus.some((menuId) => session.menus.has(menuId)));

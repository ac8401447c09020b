import {
  applicationListPath,
  auditLogPath,
  categoryListPath,
  deviceListPath,
  homePath,
  mockListPath,
  productListPath,
  roleListPath,
  syncListPath,
  taskListPath,
  tenantListPath,
  userListPath,
  versionListPath,
  zoneListPath,
} from '../paths.ts';

/** Maps the key after `g` to the path of a page. */
export const goKeys: Readonly<Record<string, string>> = {
  h: homePath,
  d: deviceListPath,
  p: productListPath,
  c: categoryListPath,
  m: mockListPath,
  f: versionListPath,
  o: taskListPath,
  z: zoneListPath,
  s: syncListPath,
  t: tenantListPath,
  a: applicationListPath,
  r: roleListPath,
  u: userListPath,
  l: auditLogPath,
};

const SEARCH_FIELD = 'main input[type=search]:not(:disabled), main [role=searchbox]:not(:disabled)';
const ROWS = 'main tr[data-row-key]';

/** Returns false if the page has no search field. */
export const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
  field?.focus();
  field?.select();
  return field !== null;
};

const focusedRow = (): HTMLElement | null => {
  const row = document.activeElement;
  return row instanceof HTMLElement && row.matches(ROWS) ? row : null;
};

/** Focuses the next or previous row of the list. */
export const moveRow = (by: 1 | -1): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const from = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[from === -1 ? (by === 1 ? 0 : rows.length - 1) : from + by];
  if (!row) return false;
  row.tabIndex = -1;
  row.focus();
  row.scrollIntoView({ block: 'nearest' });
  return true;
};

/** Clicks the focused row, or the first link in it. */
export const openRow = (): boolean => {
  const row = focusedRow();
  const target = row?.classList.contains('dc-row-opens') ? row : row?.querySelector<HTMLElement>('a[href]');
  target?.click();
  return target != null;
};

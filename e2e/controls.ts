/** A clickable element: its mark in the page, its name, and whether a click changes data. */
export type Control = { mark: string; sign: string; danger: boolean };
export type Layer = { serial: number; isQuestion: boolean; inWindow: boolean; name: string };
/** `closing`: a hidden layer still covers the page. */
export type Surface = { controls: Control[]; layer: Layer | undefined; closing: boolean };

/**
 * Runs in the page, so it contains all that it needs. Returns the topmost layer and its clickable elements, or those of
 * `screen` when no layer is open. Of rows that are alike it returns only the first.
 */
export const readSurface = (screen: string): Surface => {
  const LAYERS =
    '.ant-modal-wrap, .ant-drawer, .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, .ant-popover, .ant-cascader-dropdown, [role=dialog]';
  const CONTROLS = [
    'button',
    'summary',
    '[role=button]',
    '[role=tab]',
    '[role=menuitem]',
    '[role=switch]',
    'a[href^="?"], a[href^="#"]',
    '.ant-select',
    '.ant-picker',
    '.ant-checkbox-wrapper, .ant-radio-wrapper, .ant-radio-button-wrapper, .ant-segmented-item',
    '.ant-table-column-has-sorters',
    '.ant-select-item-option',
    '.ant-picker-cell-in-view',
    '.ant-picker-preset',
  ].join(', ');
  const ROWS =
    'tbody tr.ant-table-row, li:not([role]):not(.ant-pagination-item), .ant-select-item-option, .ant-picker-cell-in-view, [data-row]';
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const store = window as unknown as { walkSerial?: number };

  const PANELS = '.ant-modal, .ant-drawer-content-wrapper, .ant-drawer-section';
  const outer = [...document.querySelectorAll<HTMLElement>(LAYERS)].filter(
    (layer) => !layer.parentElement?.closest(LAYERS),
  );
  const isOpen = (layer: HTMLElement): boolean =>
    isShown(layer.querySelector(PANELS) ?? layer) && !/hidden/.test(layer.className);
  // The root of a closed drawer stays over the whole page but lets clicks through: its mask is what covers the page.
  const coverOf = (layer: HTMLElement): Element | null =>
    layer.matches('.ant-modal-wrap') ? layer : layer.querySelector('.ant-drawer-mask');
  const closing = outer.some((layer) => {
    const cover = isOpen(layer) ? null : coverOf(layer);
    cover?.toggleAttribute('data-walk-closing', isShown(cover));
    return cover?.hasAttribute('data-walk-closing') ?? false;
  });
  /** Newest last. */
  const layers = outer.filter(isOpen);
  for (const layer of layers)
    if (!layer.dataset.walkLayer) {
      store.walkSerial = (store.walkSerial ?? 0) + 1;
      layer.dataset.walkLayer = String(store.walkSerial);
    }
  const top = layers.sort((a, b) => Number(a.dataset.walkLayer) - Number(b.dataset.walkLayer)).at(-1);

  const labelOf = (element: Element): string => {
    const inner = element.querySelector('input, [aria-label]');
    const byId = element.getAttribute('aria-labelledby') ?? inner?.getAttribute('aria-labelledby');
    const field = inner?.id ? document.querySelector(`label[for="${CSS.escape(inner.id)}"]`) : null;
    const told = [
      element.getAttribute('aria-label'),
      byId && document.getElementById(byId)?.textContent,
      field?.textContent,
      element.matches('.ant-select, .ant-picker') ? inner?.getAttribute('aria-label') : element.textContent,
      inner?.getAttribute('aria-label'),
      element.getAttribute('title'),
    ];
    return (told.find((text) => text?.trim()) ?? '').trim();
  };
  const kindOf = (element: Element): string =>
    element.getAttribute('role') ??
    (element.className.toString().match(/ant-(select|picker|checkbox|radio|segmented|table)/)?.[1] ||
      element.tagName.toLowerCase());
  const isLaterRow = (element: Element): boolean => {
    const row = element.closest(ROWS);
    if (!row?.parentElement) return false;
    const rows = [...row.parentElement.children].filter(
      (other) => other.matches(ROWS) && !other.matches('[aria-disabled=true], [class*=disabled]'),
    );
    return rows.indexOf(row) > 0;
  };
  const isDisabled = (element: Element): boolean =>
    element.matches(':disabled, [aria-disabled=true], [class*="-disabled"]') ||
    element.querySelector('input:disabled') !== null;
  const isDanger = (element: Element): boolean => /dangerous|item-danger/.test(element.className.toString());

  const root = top ?? document;
  const within = top
    ? CONTROLS
    : CONTROLS.split(', ')
        .map((one) =>
          screen
            .split(', ')
            .map((place) => `${place} ${one}`)
            .join(', '),
        )
        .join(', ');
  for (const stale of document.querySelectorAll<HTMLElement>('[data-walk]')) delete stale.dataset.walk;
  const controls: Control[] = [];
  const signs = new Set<string>();
  for (const element of root.querySelectorAll<HTMLElement>(within)) {
    if (!isShown(element) || isDisabled(element) || isLaterRow(element)) continue;
    if (element.parentElement?.closest('.ant-select, .ant-picker, button, [role=button], [role=tab]')) continue;
    // Each language has a crawl of its own: do not switch.
    if (element.querySelector('span[lang]')) continue;
    // The text after a colon differs from row to row and from state to state.
    const label = labelOf(element)
      .replace(/\s+/g, ' ')
      .replace(/(.)[:：] .*/, '$1');
    const sign = `${kindOf(element)} ${label.replace(/[\w-]*\d[\w:.-]*/g, '#').slice(0, 60)}`;
    if (signs.has(sign)) continue;
    signs.add(sign);
    element.dataset.walk = String(controls.length);
    controls.push({ mark: String(controls.length), sign, danger: isDanger(element) });
  }
  if (!top) return { controls, layer: undefined, closing };
  const panel = top.querySelector(PANELS) ?? top;
  const { left, right, top: above } = panel.getBoundingClientRect();
  const layer = {
    serial: Number(top.dataset.walkLayer),
    // A confirmation of a destructive action: check it, do not confirm it.
    isQuestion:
      top.querySelector(
        '.ant-modal-confirm, .ant-modal .ant-btn-dangerous.ant-btn-primary, .ant-btn-color-dangerous.ant-btn-variant-solid',
      ) !== null,
    // A layer that is taller than the window may be scrolled.
    inWindow: left >= -1 && right <= innerWidth + 1 && above + top.scrollTop >= -1,
    name: top.className.toString().match(/ant-[a-z-]+/)?.[0] ?? top.tagName,
  };
  return { controls, layer, closing };
};

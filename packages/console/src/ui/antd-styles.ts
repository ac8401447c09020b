/**
 * What antd's parts look like was made when the console was built (vite/antd-styles-plugin.ts); here it only enters the
 * page, before the console's own styles, in one piece for all parts that came with the same file.
 */
type Style = { css: string; order: number };

let waiting: Style[] = [];
let last: HTMLStyleElement | undefined;

const enter = (): void => {
  const style = document.createElement('style');
  // Where two rules weigh the same, a part's variant comes after the part.
  style.textContent = waiting
    .toSorted((a, b) => a.order - b.order)
    .map(({ css }) => css)
    .join('');
  waiting = [];
  if (last) last.after(style);
  else document.head.prepend(style);
  last = style;
};

export const addAntdStyle = (css: string, order: number): void => {
  // Before whoever waits for this file goes on, and so before anything is drawn.
  if (waiting.length === 0) queueMicrotask(enter);
  waiting.push({ css, order });
};

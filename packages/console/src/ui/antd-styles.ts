/**
 * Inserts the antd styles that the build precompiled (vite/antd-styles-plugin.ts) before the console's own styles:
 * one <style> element for all components of a chunk.
 */
type Style = { css: string; order: number };

let pendingStyles: Style[] = [];
let last: HTMLStyleElement | undefined;

const insertStyles = (): void => {
  const style = document.createElement('style');
  // With equal specificity, the styles of a variant must come after those of its component.
  style.textContent = pendingStyles
    .toSorted((a, b) => a.order - b.order)
    .map(({ css }) => css)
    .join('');
  pendingStyles = [];
  if (last) last.after(style);
  else document.head.prepend(style);
  last = style;
};

export const addAntdStyle = (css: string, order: number): void => {
  // The microtask runs before the importers of this chunk continue, and therefore before anything is rendered.
  if (pendingStyles.length === 0) queueMicrotask(insertStyles);
  pendingStyles.push({ css, order });
};

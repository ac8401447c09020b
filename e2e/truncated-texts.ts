export type Seen = { texts: string[]; cut: string[]; wide: string[] };

/**
 * Runs in the page, so it contains all that it needs. Returns all visible texts within the selector; those of them that
 * are cut off, overflow their box, or end in an ellipsis without a title that has the full text; and elements that
 * scroll horizontally.
 */
export const findTruncatedTexts = (within: string): Seen => {
  const EDGE = 1.5;
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join('')}`.slice(0, 90);
  const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
  const isBox = (element: Element): boolean => {
    const { borderRightWidth, borderRightStyle, backgroundColor, display } = styleOf(element);
    if (display.startsWith('inline') && display === 'inline') return false;
    const filled = backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent';
    return filled || (borderRightStyle !== 'none' && Number.parseFloat(borderRightWidth) > 0);
  };
  /** Whether a tooltip shows the full text. */
  const hasTooltip = (element: Element, text: string): boolean => {
    const title = element.closest('[title]')?.getAttribute('title') ?? '';
    // A click on the row shows the full text.
    const whole = element.closest('.dc-row-opens') !== null;
    return whole || title.replace(/\s+/g, '').includes(text.replace(/\s+/g, ''));
  };
  // For screen readers, drawn by code, or scrollable by the user.
  const UNSEEN = '.dc-visually-hidden, .dc-skip, script, style, option, .cm-editor, textarea, svg, canvas, noscript';

  /** antd scrolls these itself, with overflow hidden: long lists of a select and, on a phone, tabs. */
  const SCROLLED = innerWidth < 992 ? '[class*="list-holder"], .ant-tabs-nav-wrap' : '[class*="list-holder"]';
  /** One pixel in size: only for screen readers. */
  const isForEars = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement) if (styleOf(at).clipPath !== 'none') return true;
    return false;
  };

  const problemOf = (node: Text, text: string): string | undefined => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !node.parentElement) return undefined;
    const line = range.getClientRects()[0]?.height ?? box.height;
    const holder = node.parentElement;
    let inBox = true;
    let escapes = '';
    for (let element: Element | null = holder; element && element !== document.body; element = element.parentElement) {
      const { overflowX, overflowY, position, textOverflow } = styleOf(element);
      const skipped = escapes === 'absolute' && position === 'static';
      if (!skipped) {
        escapes = '';
        const edge = element.getBoundingClientRect();
        const sideways = box.right > edge.right + EDGE || box.left < edge.left - EDGE;
        const upright = box.bottom > edge.bottom + line / 4 || box.top < edge.top - line / 4;
        if (edge.width < 2 || edge.height < 2) return undefined;
        if (element.matches(SCROLLED)) return undefined;
        const hidden = (clips(overflowX) && sideways) || (clips(overflowY) && upright);
        if (hidden && !hasTooltip(holder, text)) {
          const how = textOverflow === 'ellipsis' ? 'ellipsis without a title' : 'cut';
          return `${how}: "${text.slice(0, 60)}" in ${nameOf(element)}`;
        }
        if (hidden || scrolls(overflowX) || scrolls(overflowY)) return undefined;
        if (inBox && isBox(element)) {
          if (sideways || upright) return `out of its box: "${text.slice(0, 60)}" in ${nameOf(element)}`;
          inBox = false;
        }
      }
      if (position === 'fixed') return undefined;
      if (position !== 'absolute') continue;
      escapes = 'absolute';
      // Positioned on purpose: it may leave the box of its parent.
      inBox = false;
    }
    return undefined;
  };

  const pen = document.createElement('canvas').getContext('2d');
  const placeholderProblem = (input: HTMLInputElement): string | undefined => {
    if (!pen || input.placeholder === '' || input.value !== '' || !input.checkVisibility()) return undefined;
    const { fontStyle, fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = styleOf(input);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (room < 2 || pen.measureText(input.placeholder).width <= room + 2 || hasTooltip(input, input.placeholder))
      return undefined;
    return `cut placeholder: "${input.placeholder}" (${Math.round(room)} px)`;
  };

  const roots = [...document.querySelectorAll(within)];
  const texts: string[] = [];
  const cut: string[] = [];
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue?.trim() ?? '';
      const holder = node.parentElement;
      if (text === '' || !holder || holder.closest(UNSEEN)) continue;
      if (!holder.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (isForEars(holder)) continue;
      texts.push(text);
      const problem = problemOf(node as Text, text);
      if (problem) cut.push(problem);
    }
    for (const input of root.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
      texts.push(input.placeholder);
      const problem = placeholderProblem(input);
      if (problem) cut.push(problem);
    }
    for (const named of root.querySelectorAll('[aria-label], [title], [alt]'))
      for (const attribute of ['aria-label', 'title', 'alt']) {
        const text = named.getAttribute(attribute);
        if (text) texts.push(text.trim());
      }
  }
  const wide: string[] = [];
  for (const element of [
    document.documentElement,
    ...document.querySelectorAll('main, .ant-modal, .ant-drawer-body'),
  ]) {
    const excess = element.scrollWidth - element.clientWidth;
    if (excess > 0) wide.push(`scrolls sideways by ${excess} px: ${nameOf(element)}`);
  }
  return { texts: [...new Set(texts)], cut: [...new Set(cut)], wide };
};

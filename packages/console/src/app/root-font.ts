const BASE_PX = 16;
const DESIGN_WIDTH = 1920;
const SCALE_MAX = 2;

export const rootFontSize = (width: number): number => BASE_PX * Math.min(width / DESIGN_WIDTH, SCALE_MAX);

/** Spec §2: the root font size follows the window width. Text uses px: on a 390 px screen 1 rem would be 3.25 px. */
export const scaleRootFont = (): void => {
  const apply = () => {
    document.documentElement.style.fontSize = `${rootFontSize(window.innerWidth)}px`;
  };
  apply();
  window.addEventListener('resize', apply);
};

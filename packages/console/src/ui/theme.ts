import { type ThemeConfig, theme } from 'antd';
import type { Scheme } from './preferences.ts';

type MapToken = ReturnType<typeof theme.defaultAlgorithm>;
type SeedToken = Parameters<typeof theme.defaultAlgorithm>[0];

/** Colours express state or action, never decoration. styles/tokens.css has the same values. */
const colours = {
  light: {
    colorPrimary: '#0b6477',
    colorPrimaryHover: '#0d7489',
    colorPrimaryActive: '#094f5e',
    colorPrimaryText: '#0b6477',
    colorPrimaryBg: '#e6f1f3',
    colorPrimaryBgHover: '#dceaed',
    colorPrimaryBorder: '#8fbfc9',
    colorLink: '#0b6477',
    colorLinkHover: '#0d7489',
    colorLinkActive: '#094f5e',
    colorInfo: '#2563c9',
    colorSuccess: '#117a52',
    colorWarning: '#9a6100',
    colorWarningBg: '#fdf6e7',
    colorWarningBorder: '#ead6ad',
    colorError: '#c2362b',
    colorErrorHover: '#a92c22',
    colorText: '#15242b',
    colorTextSecondary: '#566870',
    colorTextTertiary: '#5f7078',
    colorBgLayout: '#f7f8f8',
    colorBgContainer: '#ffffff',
    colorBgElevated: '#ffffff',
    colorBorder: '#cfd7da',
    colorBorderSecondary: '#e7ebec',
  },
  dark: {
    colorPrimary: '#1c7d8f',
    colorPrimaryHover: '#197587',
    colorPrimaryActive: '#176a7a',
    colorPrimaryText: '#6cc6d5',
    colorPrimaryBg: '#173039',
    colorPrimaryBgHover: '#1b3842',
    colorPrimaryBorder: '#2a6472',
    colorLink: '#6cc6d5',
    colorLinkHover: '#8bd6e2',
    colorLinkActive: '#52b3c4',
    colorInfo: '#5b93ee',
    colorSuccess: '#3fb983',
    colorWarning: '#d69a2d',
    colorWarningBg: '#2a2416',
    colorWarningBorder: '#5a4a24',
    colorError: '#ec6a5e',
    colorErrorHover: '#f1857b',
    colorText: '#e6edef',
    colorTextSecondary: '#93a4ab',
    colorTextTertiary: '#8b9aa1',
    colorBgLayout: '#10171b',
    colorBgContainer: '#161f24',
    colorBgElevated: '#1b262c',
    colorBorder: '#33434b',
    colorBorderSecondary: '#243138',
  },
} as const satisfies Record<Scheme, Partial<MapToken>>;

/** antd's algorithm shifts seed colours, so set the exact values again after it. */
const exactly =
  (scheme: Scheme) =>
  (seed: SeedToken): MapToken => {
    const derive = scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm;
    return { ...derive({ ...seed, ...colours[scheme] }), ...colours[scheme] };
  };

const FONT = "'Inter Variable','PingFang SC','HarmonyOS Sans SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif";
const FONT_CODE = "'JetBrains Mono Variable','Noto Sans Mono CJK SC',ui-monospace,monospace";

type Screen = {
  wide: boolean;
  /** Without animations. */ still: boolean;
};

export const themeOf = (scheme: Scheme, { wide, still }: Screen): ThemeConfig => ({
  algorithm: exactly(scheme),
  cssVar: { key: 'dc' },
  hashed: false,
  token: {
    fontFamily: FONT,
    fontFamilyCode: FONT_CODE,
    fontSize: wide ? 16 : 14,
    borderRadius: 8,
    borderRadiusSM: 6,
    borderRadiusLG: 10,
    controlHeight: 34,
    controlHeightSM: 28,
    motion: !still,
    motionDurationFast: '0.14s',
    motionDurationMid: '0.16s',
    motionDurationSlow: '0.2s',
    // The default placeholder colours do not meet WCAG AA contrast.
    colorTextPlaceholder: scheme === 'dark' ? '#8b9aa1' : '#66777f',
    colorTextDescription: colours[scheme].colorTextSecondary,
    wireframe: false,
  },
  components: {
    Button: {
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      fontWeight: 500,
      // antd's default, the fill colour of primary buttons, does not meet AA as a text colour in dark mode.
      defaultHoverColor: colours[scheme].colorLinkHover,
      defaultHoverBorderColor: colours[scheme].colorLinkHover,
      defaultActiveColor: colours[scheme].colorLinkActive,
      defaultActiveBorderColor: colours[scheme].colorLinkActive,
    },
    Table: {
      headerBg: 'transparent',
      headerColor: colours[scheme].colorTextSecondary,
      headerSplitColor: 'transparent',
      headerBorderRadius: 0,
      cellPaddingBlock: 4,
      cellPaddingBlockMD: 4,
      cellPaddingBlockSM: 4,
      cellFontSizeMD: wide ? 16 : 14,
      headerSortActiveBg: 'transparent',
      headerSortHoverBg: 'transparent',
      bodySortBg: 'transparent',
      rowSelectedBg: colours[scheme].colorPrimaryBg,
      rowSelectedHoverBg: colours[scheme].colorPrimaryBgHover,
      rowHoverBg: scheme === 'dark' ? '#1a252b' : '#f4f7f7',
    },
    Form: { verticalLabelPadding: '0 0 6px', itemMarginBottom: 22, labelRequiredMarkColor: colours[scheme].colorError },
    Tabs: { itemHoverColor: colours[scheme].colorLinkHover, itemActiveColor: colours[scheme].colorLinkActive },
    // The colour of the selected menu entry: the fill of primary buttons does not meet AA as a text colour.
    Dropdown: { colorPrimary: colours[scheme].colorPrimaryText },
    Modal: { borderRadiusLG: 14 },
    Segmented: { trackBg: scheme === 'dark' ? '#10171b' : '#f1f3f4' },
  },
});

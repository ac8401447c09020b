export type Device = { browser: string; system: string; kind: 'desktop' | 'phone' | 'tablet' | 'unknown' };

/** The first that fits: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* .*Safari\//],
  ['curl', /^curl\/(\d+)/],
  ['Node.js', /^(?:node|undici)(?:\/(\d+))?/],
];

const SYSTEMS: [name: string, pattern: RegExp, kind: Device['kind']][] = [
  ['iPadOS', /iPad/, 'tablet'],
  ['iOS', /iPhone|iPod/, 'phone'],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/, 'phone'],
  ['Android', /Android(?!.*Mobile)/, 'tablet'],
  ['Android', /Android/, 'phone'],
  ['Windows', /Windows/, 'desktop'],
  ['ChromeOS', /CrOS/, 'desktop'],
  ['macOS', /Macintosh|Mac OS X/, 'desktop'],
  ['Linux', /Linux|X11/, 'desktop'],
];

const browserOf = (userAgent: string): string => {
  for (const [name, pattern] of BROWSERS) {
    const found = pattern.exec(userAgent);
    if (found) return found[1] === undefined ? name : `${name} ${found[1]}`;
  }
  return '';
};

/** What a session's user agent tells about where it is, as far as it tells anything; '' for what it does not. */
export const deviceOf = (userAgent: string): Device => {
  const [system = '', , kind = 'unknown'] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  return { browser: browserOf(userAgent), system, kind };
};

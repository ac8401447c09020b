export type UserAgentInfo = { browser: string; system: string; kind: 'desktop' | 'phone' | 'tablet' | 'unknown' };

/** The first match counts: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
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

const SYSTEMS: [name: string, pattern: RegExp, kind: UserAgentInfo['kind']][] = [
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

/** Browser, operating system and kind of device of a session; empty where the user agent does not reveal them. */
export const parseUserAgent = (userAgent: string): UserAgentInfo => {
  const [system = '', , kind = 'unknown'] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  return { browser: browserOf(userAgent), system, kind };
};

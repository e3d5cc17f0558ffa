/**
 * What a browser calls itself, in words: `Chrome on Windows`. Enough to know one's own devices; the whole truth is in
 * no user agent. Order matters: most browsers also claim to be the ones below them.
 */

const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
]

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export interface Device {
  name: string
  isHandheld: boolean
}

export function deviceOf(userAgent: string | null): Device {
  const found = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = found(browsers)
  const system = found(systems)
  const isHandheld = /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '')
  if (browser === undefined) return { name: system ?? 'Unknown device', isHandheld }
  return { name: system === undefined ? browser : `${browser} on ${system}`, isHandheld }
}

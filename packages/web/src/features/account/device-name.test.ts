import { expect, it } from 'vitest'
import { deviceOf } from './device-name.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows', false],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`,
    'Edge on Windows',
    false,
  ],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`, 'Safari on macOS', false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux', false],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
    true,
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
    true,
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS', false],
  ['curl/8.9.1', 'Unknown device', false],
  [null, 'Unknown device', false],
])('%s', (userAgent, name, isHandheld) => {
  expect(deviceOf(userAgent)).toEqual({ name, isHandheld })
})

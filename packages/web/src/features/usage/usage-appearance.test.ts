import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Compares the style sheets and the report's paper colours with document 2 section 9, without a browser. */
const source = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(source, file), 'utf8')

/** Returns hue in degrees, saturation and lightness from 0 to 1. */
function colourOf(hex: string): { hue: number; saturation: number; lightness: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const span = most - least
  const sixth =
    most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span
  return {
    hue: span === 0 ? 0 : (sixth * 60 + 360) % 360,
    saturation: most === 0 ? 0 : span / most,
    lightness: (most + least) / 2,
  }
}

const tokens = { normal: 'green', safety: 'darkgreen', high: 'orange', maximum: 'red', unknown: 'grey' }
const [light = '', dark = ''] = read('ui/tokens.css').split(':root[data-mantine-color-scheme="dark"]')
const hexesOf = (text: string, before: (usage: string, name: string) => string) =>
  Object.fromEntries(
    Object.entries(tokens).map(([usage, name]) => [
      usage,
      new RegExp(`${before(usage, name)}(#[0-9a-f]{6})`).exec(text)?.[1] ?? '',
    ]),
  )
const inTheme = (css: string) => hexesOf(css, (_usage, name) => `--bw-status-${name}: `)
const [, paper = ''] = read('features/report/pdf-styles.ts').split('usageIcons')

it.each<[string, Record<string, string>]>([
  ['on light ground', inTheme(light)],
  ['on dark ground', inTheme(dark)],
  ['on paper', hexesOf(paper, (usage) => `${usage}: { colour: '`)],
])('usage %s is green, dark green, orange, red or grey', (_ground, hexes) => {
  const { normal, safety, high, maximum, unknown } = Object.fromEntries(
    Object.keys(tokens).map((usage) => [usage, colourOf(hexes[usage] ?? '')]),
  ) as Record<keyof typeof tokens, ReturnType<typeof colourOf>>
  for (const green of [normal, safety]) {
    expect(green.hue).toBeGreaterThan(100)
    expect(green.hue).toBeLessThan(170)
  }
  expect(safety.lightness).toBeLessThan(normal.lightness)
  expect(high.hue).toBeGreaterThan(20)
  expect(high.hue).toBeLessThan(40)
  expect(Math.min(maximum.hue, 360 - maximum.hue)).toBeLessThan(12)
  expect(unknown.saturation).toBeLessThan(0.35)
})

it.each(Object.entries(tokens))('each judgement has its colour in usage.module.css: %s', (usage, token) => {
  const [, rule = ''] = read('features/usage/usage.module.css').split(`\n[data-usage="${usage}"] {`)
  expect(rule.slice(0, rule.indexOf('}'))).toContain(`--usage: var(--bw-status-${token});`)
})

it('the list of components is 20rem high and scrolls', () => {
  const rules = read('features/usage/usage.module.css')
  const rule = (selector: string) => rules.split(`\n${selector} {`)[1]?.split('}')[0]
  expect(rule('.body')).toContain('height: 20rem;')
  expect(rule('.list')).toMatch(/overflow(-y)?: (auto|hidden auto);/)
})

import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** No browser runs here: the style sheets are checked against document 1 section 9. */
const source = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => fs.readFileSync(path.join(source, file), 'utf8')

/** Degrees on the colour wheel: 0 red, 30 orange, 60 yellow. */
function hue(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  // For warm colours only, where red is the brightest channel.
  const span = red - Math.min(green, blue)
  return 60 * ((green - blue) / span)
}

const [light = '', dark = ''] = read('ui/tokens.css').split(':root[data-mantine-color-scheme="dark"]')

it.each([
  ['light', light],
  ['dark', dark],
])('severities are red, orange and yellow in the %s theme: signs and words', (_theme, tokens) => {
  for (const part of ['', '-ink']) {
    const colour = (severity: string) => new RegExp(`--bw-${severity}${part}: (#[0-9a-f]{6});`).exec(tokens)?.[1] ?? ''
    expect(Math.abs(hue(colour('high')))).toBeLessThan(10)
    expect(hue(colour('medium'))).toBeGreaterThan(20)
    expect(hue(colour('medium'))).toBeLessThan(36)
    expect(hue(colour('low'))).toBeGreaterThan(42)
    expect(hue(colour('low'))).toBeLessThan(60)
  }
})

it.each([
  ['features/events/status/severity-badge.module.css', '.badge', '-ink'],
  ['features/events/map/leaflet-map.module.css', '.mark ', ''],
])('high, medium and low have the colours of their names in %s', (file, selector, part) => {
  const styles = read(file)
  for (const severity of ['high', 'medium', 'low']) {
    const [, rest = ''] = styles.split(`${selector}[data-severity="${severity}"] {`)
    expect(rest.slice(0, rest.indexOf('}'))).toContain(`color: var(--bw-${severity}${part});`)
  }
})

import fs from 'node:fs'
import path from 'node:path'
import { type LockFile, nameOf, packagesFor } from './locked-packages.ts'

/**
 * Writes the licences and notices of all packages in the release, each text once. Packages for one platform are named
 * without their text, which npm installs with them, so that releases made on different machines are the same.
 *
 * @param root folder that holds node_modules
 */
export function thirdPartyNotices(lock: LockFile, places: readonly string[], root: string): string {
  const byText = new Map<string, string[]>()
  for (const [place, { version, license, link, os }] of packagesFor(lock, places)) {
    if (link || !place.includes('node_modules/')) continue
    const text = os ? 'The text is in the package.' : noticesIn(path.join(root, place))
    const named = byText.get(text) ?? []
    named.push(`${nameOf(place)} ${version}${license ? ` (${license})` : ''}`)
    byText.set(text, named)
  }
  const blocks = [...byText].map(([text, named]) => `${[...new Set(named)].join('\n')}\n\n${text}\n`)
  const line = `\n${'-'.repeat(80)}\n\n`
  return `Benchwatch contains or installs the packages below, under these licences.\n${line}${blocks.join(line)}`
}

function noticesIn(folder: string): string {
  if (!fs.existsSync(folder)) throw new Error(`${folder} is not installed: run \`npm ci --ignore-scripts\` first.`)
  const files = fs.readdirSync(folder).filter((name) => /^(licen[cs]e|copying|copyright|notice|ofl)\b/i.test(name))
  const texts = files
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').replace(/\r\n/g, '\n').trim())
  return texts.join('\n\n') || 'The package contains no text of its licence.'
}

import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const manifest = (place: string) =>
  JSON.parse(read(path.join(place, 'package.json'))) as {
    version: string
    workspaces?: string[]
    dependencies?: Record<string, string>
  }

// The server, and with it every screen, shows the version of the server's package.
test('the product and each of its packages have the version of the newest release in the changelog', () => {
  const [, version] = /^## (\d+\.\d+\.\d+)$/m.exec(read('CHANGELOG.md')) ?? []
  const places = ['.', ...(manifest('.').workspaces ?? [])]
  expect(places).toContain('packages/server')
  expect(places.map((place) => [place, manifest(place).version])).toEqual(places.map((place) => [place, version]))
  const own = places.flatMap((place) => Object.entries(manifest(place).dependencies ?? {}))
  expect(new Set(own.filter(([name]) => name.startsWith('@benchwatch/')).map(([, wanted]) => wanted))).toEqual(
    new Set([version]),
  )
})

test('the page on upgrading has a section for the newest release and names it in its commands', () => {
  const { version } = manifest('.')
  const page = read('docs/upgrading.md')
  if (version.endsWith('.0.0'))
    expect(page).toMatch(new RegExp(`^## From .* to ${version.replaceAll('.', '\\.')}$`, 'm'))
  for (const file of ['docs/upgrading.md', 'docs/install.md'])
    for (const [, named] of read(file).matchAll(/benchwatch-(\d+\.\d+\.\d+)/g))
      expect([file, named]).toEqual([file, version])
})

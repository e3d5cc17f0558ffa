import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const manifest = (place: string) =>
  JSON.parse(fs.readFileSync(path.join(root, place, 'package.json'), 'utf8')) as {
    version: string
    workspaces?: string[]
  }

// The server, and with it every screen, shows the version of the server's package.
test('the product and each of its packages are of version 2.12.2', () => {
  const places = ['.', ...(manifest('.').workspaces ?? [])]
  expect(places).toContain('packages/server')
  expect(places.map((place) => [place, manifest(place).version])).toEqual(places.map((place) => [place, '2.12.2']))
})

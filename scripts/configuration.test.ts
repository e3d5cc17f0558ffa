import fs from 'node:fs'
import path from 'node:path'
import { type ObjectExpression, parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const readers = ['packages/server/src/config.ts', 'packages/gateway/src/config.ts']
/** Read by the repository's own commands. */
const ofCommands = ['SIMULATOR', 'CHROMIUM_PATH', 'TEST_DATABASE_URL']

/** Returns the upper-case keys of the objects in a configuration file. */
function keysOf(file: string): string[] {
  const keys: string[] = []
  new Visitor({
    ObjectExpression: (node: ObjectExpression) => {
      for (const property of node.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        if (/^[A-Z][A-Z0-9_]+$/.test(property.key.name)) keys.push(property.key.name)
      }
    },
  }).visit(parseSync(file, fs.readFileSync(path.join(root, file), 'utf8')).program)
  return keys
}

function documentedKeys(): string[] {
  const page = fs.readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
  return [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, key = '']) => key)
}

test.each(readers)('every key of %s is documented', (file) => {
  const keys = keysOf(file)
  expect(keys.length).toBeGreaterThan(5)
  expect(keys.filter((key) => !documentedKeys().includes(key))).toEqual([])
})

test('every documented key is read somewhere', () => {
  const known = new Set([...readers.flatMap(keysOf), ...ofCommands])
  expect(documentedKeys().filter((key) => !known.has(key))).toEqual([])
})

test('every key that holds a secret is listed among those that may be in a file', () => {
  const page = fs.readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
  const [, paragraph = ''] = /## Secrets in files\n([^]*?)\n## /.exec(page) ?? []
  const listed = [...paragraph.matchAll(/`([A-Z_]+)`/g)].map(([, key]) => key)
  const holding = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|(.*)$/gm)]
    .filter(([, key = '', text = '']) => /(_SECRET|_TOKEN|_KEY)$/.test(key) || /:password@/.test(text))
    .map(([, key]) => key)
  expect(holding.length).toBeGreaterThan(5)
  expect(holding.filter((key) => !listed.includes(key))).toEqual([])
})

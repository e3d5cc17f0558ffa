import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { demoPassword, demoUsers } from './demo-users.ts'

const root = path.resolve(import.meta.dirname, '..')
const pages = [
  ...fs.readdirSync(root),
  ...fs.readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`),
  ...['decisions', 'connect'].flatMap((folder) =>
    fs.readdirSync(path.join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
].filter((name) => name.endsWith('.md'))

const read = (page: string) => fs.readFileSync(path.join(root, page), 'utf8')

test.each(pages)('every file that %s names exists', (page) => {
  const text = read(page)
  const paths = [...text.matchAll(/`((?:packages|e2e|lab|scripts|docs)\/[\w./-]+)`/g)].map(([, place = '']) => place)
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, place = '']) =>
    path.join(path.dirname(page), place),
  )
  expect([...paths, ...links].filter((place) => !fs.existsSync(path.join(root, place)))).toEqual([])
})

/** Files of the repository, each as a path that ends in what a page may name, such as `/events/status.ts`. */
const files = ['packages', 'e2e', 'lab', 'scripts']
  .flatMap((room) => fs.readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }))
  .filter((place) => !place.includes('node_modules'))
  .map((place) => `/${place}`)

test.each(pages)('every source file that %s names by its end exists', (page) => {
  const named = [...read(page).matchAll(/`([\w-][\w./-]*\.tsx?)`/g)].map(([, place = '']) => place)
  const known = (place: string) =>
    files.some((file) => file.endsWith(`/${place}`)) || fs.existsSync(path.join(root, place))
  expect(named.filter((place) => !known(place))).toEqual([])
})

test.each(pages)('every command that %s names can be run', (page) => {
  const text = read(page)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...text.matchAll(/npm run (?:--?[\w-]+ )*([\w:]+)/g)].map(([, name = '']) => name)
  const started = [...text.matchAll(/node ((?:packages|e2e|lab|scripts)\/[\w./-]+)/g)].map(([, place = '']) => place)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
  expect(started.filter((place) => !fs.existsSync(path.join(root, place)))).toEqual([])
})

test('the README leads to every page of docs, through docs/README.md', () => {
  const linksOf = (page: string) => [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, place = '']) => place)
  expect(linksOf('README.md')).toContain('docs/README.md')
  const linked = new Set(linksOf('docs/README.md').map((place) => path.posix.join('docs', place)))
  expect(pages.filter((page) => /^docs\/(?!README)[^/]+$/.test(page) && !linked.has(page))).toEqual([])
})

test('the README introduces the demo users as the start command does', () => {
  const readme = read('README.md')
  for (const { userId } of demoUsers) expect(readme).toContain(`\`${userId}\``)
  expect(readme).toContain(`\`${demoPassword}\``)
})

test('no two decisions have the same number', () => {
  const numbers = fs.readdirSync(path.join(root, 'docs/decisions')).map((name) => name.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

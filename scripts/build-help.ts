/**
 * Builds the help site: `packages/web/help-site/dist` from docs/help, the API description, and the few files in
 * packages/web/help-site. Fails on broken links and pictures, and on pages without a link to them.
 */
import fs from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import MiniSearch from 'minisearch'
import { searchOptions } from '../packages/web/help-site/search-options.ts'
import { type ApiDescription, referencePages } from './help-site/api-reference.ts'
import {
  escapeHtml,
  type HelpPage,
  helpDocument,
  type NavigationGroup,
  renderPage,
  sizeOfWebp,
} from './help-site/help-markdown.ts'
import { run } from './run.ts'

const root = path.resolve(import.meta.dirname, '..')
const texts = path.join(root, 'docs/help')
const sources = path.join(root, 'packages/web/help-site')
const target = path.join(sources, 'dist')

const measure = (picture: string) => sizeOfWebp(fs.readFileSync(path.join(texts, picture)))
const groups = JSON.parse(fs.readFileSync(path.join(texts, 'navigation.json'), 'utf8')) as {
  title: string
  pages: string[]
}[]
const written = new Map(
  fs
    .readdirSync(texts)
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.basename(file, '.md'))
    .map((name) => [name, renderPage(name, fs.readFileSync(path.join(texts, `${name}.md`), 'utf8'), measure)]),
)
const reference = referencePages(await apiDescription())
const overview = written.get('api')
if (overview) {
  overview.html += `<ul>${reference.map(({ name, title, description }) => `<li><a href="${name}.html">${escapeHtml(title.replace('API: ', ''))}</a>: ${escapeHtml(description)}</li>`).join('')}</ul>`
}
const pages: HelpPage[] = [...written.values(), ...reference]
const navigation: NavigationGroup[] = groups.map(({ title, pages: names }) => ({
  title,
  pages: names.map((name) => {
    const page = written.get(name)
    if (!page) throw new Error(`docs/help/navigation.json names ${name}, and there is no ${name}.md.`)
    return page
  }),
}))
navigation.at(-1)?.pages.push(...reference)
checkWhole(pages, navigation)

fs.rmSync(target, { recursive: true, force: true })
fs.mkdirSync(target, { recursive: true })
for (const page of pages) fs.writeFileSync(path.join(target, `${page.name}.html`), helpDocument(page, navigation))
fs.cpSync(path.join(texts, 'pictures'), path.join(target, 'pictures'), { recursive: true })
fs.writeFileSync(path.join(target, 'search.json'), JSON.stringify(searchIndex(pages)))
for (const name of ['theme', 'help', 'search-options']) {
  const code = stripTypeScriptTypes(fs.readFileSync(path.join(sources, `${name}.ts`), 'utf8'))
  fs.writeFileSync(
    path.join(target, `${name}.js`),
    code.replace("'minisearch'", "'./minisearch.js'").replace(/\.ts'/g, ".js'"),
  )
}
copyPackageFile('minisearch/dist/es/index.js', 'minisearch.js')
for (const part of ['latin', 'latin-ext'])
  copyPackageFile(`@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`, `inter-${part}.woff2`)
const tokens = fs.readFileSync(path.join(root, 'packages/web/src/ui/tokens.css'), 'utf8')
fs.writeFileSync(path.join(target, 'help.css'), tokens + fs.readFileSync(path.join(sources, 'help.css'), 'utf8'))

/** Reads the API description from the routes in another process: scripts do not import server code. */
async function apiDescription(): Promise<ApiDescription> {
  const { code, output } = await run(['node', path.join(root, 'packages/server/src/cli/api-description.ts')])
  const line = output.split('\n').find((text) => text.startsWith('{"openapi"'))
  if (code !== 0 || line === undefined) throw new Error(`The API description could not be generated:\n${output}`)
  return JSON.parse(line) as ApiDescription
}

function copyPackageFile(from: string, to: string): void {
  fs.copyFileSync(path.join(root, 'node_modules', from), path.join(target, to))
}

function searchIndex(all: readonly HelpPage[]): MiniSearch {
  const index = new MiniSearch(searchOptions)
  for (const { name, title, sections } of all) {
    for (const { anchor, title: words, text } of sections) {
      const id = anchor === '' ? `${name}.html` : `${name}.html#${anchor}`
      index.add({ id, page: title, title: words, text: text.trim() })
    }
  }
  return index
}

function checkWhole(all: readonly HelpPage[], inOrder: readonly NavigationGroup[]): void {
  const anchors = new Map(all.map(({ name, sections }) => [name, new Set(sections.map(({ anchor }) => anchor))]))
  const reachable = new Set(inOrder.flatMap((group) => group.pages.map(({ name }) => name)))
  const wrong = [...anchors.keys()].filter((name) => !reachable.has(name)).map((name) => `${name} is in no group`)
  for (const { name, html } of all) {
    // Relative links lead to pages; a picture leads to itself.
    for (const [, page = '', anchor = ''] of html.matchAll(
      /href="(?!\/|pictures\/|\w+:)([^"#]*?)(?:\.html)?(?:#([^"]*))?"/g,
    )) {
      if (!anchors.get(page === '' ? name : page)?.has(anchor)) wrong.push(`${name} leads to ${page}#${anchor}`)
    }
  }
  if (wrong.length > 0) throw new Error(`The help has errors: ${wrong.join('; ')}.`)
}

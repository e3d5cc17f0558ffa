/** `node scripts/check-coverage.ts` checks that every test named in docs/coverage exists under that title. */
import fs from 'node:fs'
import path from 'node:path'
import { type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser'

/** One row of a docs/coverage page: a sentence of the specification and the test that covers it. */
interface CoverageRow {
  line: number
  sentence: string
  file: string
  title: string
}

const root = path.resolve(import.meta.dirname, '..')
const pages = fs.globSync('docs/coverage/*.md', { cwd: root }).sort()
const titles = new Map<string, Set<string> | undefined>()

const complaints: string[] = []
let sentences = 0
for (const page of pages) {
  const { rows, malformed } = readCoverageTable(fs.readFileSync(path.join(root, page), 'utf8'))
  sentences += rows.length
  for (const line of malformed)
    complaints.push(`${page}:${line} is not of the form | sentence | test file | test title |`)
  for (const { line, file, title } of rows) {
    if (!titles.has(file)) titles.set(file, titlesOf(file))
    const known = titles.get(file)
    if (!known) complaints.push(`${page}:${line} names ${file}, which does not exist`)
    else if (!known.has(title))
      complaints.push(`${page}:${line} names the test "${title}", which ${file} does not have`)
  }
}
for (const complaint of complaints) console.error(complaint)
console.log(`${sentences} sentences with their tests`)
process.exitCode = complaints.length > 0 || sentences === 0 ? 1 : 0

function titlesOf(file: string): Set<string> | undefined {
  const place = path.join(root, file)
  return fs.existsSync(place) ? readTestTitles(file, fs.readFileSync(place, 'utf8')) : undefined
}

/** Reads the rows `| sentence | test file | test title |` of a page, without header and separator rows. */
export function readCoverageTable(page: string): { rows: CoverageRow[]; malformed: number[] } {
  const rows: CoverageRow[] = []
  const malformed: number[] = []
  for (const [index, text] of page.split('\n').entries()) {
    if (!text.startsWith('|') || /^\|[\s:|-]+$/.test(text)) continue
    const cells = text
      .replace(/^\|/, '')
      .replace(/(?<!\\)\|\s*$/, '')
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^`(.*)`$/, '$1'),
      )
    const [sentence, file, title] = cells
    if (sentence === 'sentence') continue
    if (cells.length === 3 && sentence && file && title) rows.push({ line: index + 1, sentence, file, title })
    else malformed.push(index + 1)
  }
  return { rows, malformed }
}

/** Returns the titles of the tests in a file as written: `%s` and `${…}` stay. */
export function readTestTitles(file: string, source: string): Set<string> {
  const titles = new Set<string>()
  const { program } = parseSync(file, source)
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }: CallExpression) => {
      if (!title || title.type === 'SpreadElement' || !/^(test|it)\b/.test(baseName(callee))) return
      if (title.type === 'Literal' && typeof title.value === 'string') titles.add(title.value)
      if (title.type === 'TemplateLiteral') titles.add(source.slice(title.start + 1, title.end - 1))
    },
  }).visit(program)
  return titles
}

/** Returns `test` for test(…), test.each(…)(…) and test.only(…). */
function baseName(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return baseName(callee.object)
  if (callee.type === 'CallExpression') return baseName(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return baseName(callee.tag)
  return ''
}

/**
 * `node scripts/check-coverage.ts` checks that every test named in docs/coverage exists under that title.
 * With `--write` (`npm run coverage`) it also writes the pages as Markdown to dist/coverage.
 */
import fs from 'node:fs'
import path from 'node:path'
import { readCoveragePage, readTestTitles, writeCoverageMarkdown } from './coverage-page.ts'

const root = path.resolve(import.meta.dirname, '..')
const pages = fs.globSync('docs/coverage/*.jsonl', { cwd: root }).sort()
const titles = new Map<string, Set<string> | undefined>()
const places = new Map<string, string>()

const complaints: string[] = []
for (const page of pages) {
  const { lines, malformed } = readCoveragePage(fs.readFileSync(path.join(root, page), 'utf8'))
  for (const line of malformed)
    complaints.push(`${page}:${line} is neither {"id", "sentence", "test"} nor {"heading"} nor {"note"}`)
  for (const [line, row] of lines) {
    if (!('id' in row)) continue
    const { id, file, title } = row
    const place = `${page}:${line}`
    if (!path.basename(page).startsWith(`${id.split('.')[0]}-`))
      complaints.push(`${place} has the id ${id} of another page`)
    const earlier = places.get(id)
    if (earlier) complaints.push(`${place} has the id ${id} of ${earlier}`)
    places.set(id, place)
    if (!titles.has(file)) titles.set(file, titlesOf(file))
    const known = titles.get(file)
    if (!known) complaints.push(`${place} names ${file}, which does not exist`)
    else if (!known.has(title)) complaints.push(`${place} names the test "${title}", which ${file} does not have`)
  }
  if (process.argv.includes('--write')) write(page, writeCoverageMarkdown(lines.values()))
}
for (const complaint of complaints) console.error(complaint)
console.log(`${places.size} sentences with their tests`)
process.exitCode = complaints.length > 0 || places.size === 0 ? 1 : 0

function titlesOf(file: string): Set<string> | undefined {
  const place = path.join(root, file)
  return fs.existsSync(place) ? readTestTitles(file, fs.readFileSync(place, 'utf8')) : undefined
}

function write(page: string, markdown: string): void {
  const place = path.join(root, 'dist/coverage', `${path.basename(page, '.jsonl')}.md`)
  fs.mkdirSync(path.dirname(place), { recursive: true })
  fs.writeFileSync(place, markdown)
  console.log(path.relative(root, place))
}

/** `node scripts/check-coverage.ts`: every test that the pages of docs/coverage name exists under that title. */
import fs from 'node:fs'
import path from 'node:path'
import { readCoverageTable, readTestTitles } from './coverage-table.ts'

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

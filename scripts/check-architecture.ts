/**
 * `node scripts/check-architecture.ts` checks every source file against architecture.rules.mjs, and the pictures in
 * ARCHITECTURE.md against the imports. `npm run architecture` (`--draw`) redraws them and prints the shape of the
 * project.
 */
import fs from 'node:fs'
import path from 'node:path'
import { rules } from '../architecture.rules.mjs'
import { checkArchitecture } from './architecture/check.ts'
import { drawInto, drawPictures } from './architecture/picture.ts'
import { readProject } from './architecture/project.ts'
import { describeShape } from './architecture/shape.ts'

const root = path.resolve(import.meta.dirname, '..')
const folders = ['packages', 'e2e', 'lab', 'scripts']
const skipped = new Set(['node_modules', 'dist', 'data', 'test-results', 'playwright-report'])

const sources = new Map<string, string>()
const everyFile: string[] = []
for (const folder of folders) collect(folder)
for (const entry of fs.readdirSync(root, { withFileTypes: true })) if (entry.isFile()) add(entry.name)
const project = readProject(sources)
const { modules, imports, violations } = checkArchitecture(project, rules)
for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`)
// A check that read no file must not pass.
if (modules === 0 || imports === 0) console.error('No modules were found: the architecture was not checked.')
console.log(`${modules} modules, ${imports} imports between them, ${violations.length} violations`)
const page = path.join(root, 'ARCHITECTURE.md')
const words = fs.readFileSync(page, 'utf8')
const drawn = drawInto(words, drawPictures(project, rules))
if (process.argv.includes('--draw')) {
  fs.writeFileSync(page, drawn)
  console.log(`\n${describeShape(project, rules, everyFile)}`)
} else if (drawn !== words) {
  console.error('The pictures in ARCHITECTURE.md are out of date: run npm run architecture.')
  process.exitCode = 1
}
if (violations.length > 0 || modules === 0 || imports === 0) process.exitCode = 1

function collect(place: string): void {
  const absolute = path.join(root, place)
  if (!fs.existsSync(absolute)) return
  for (const entry of fs.readdirSync(absolute, { withFileTypes: true })) {
    const file = `${place}/${entry.name}`
    if (entry.isDirectory() && !skipped.has(entry.name)) collect(file)
    else if (entry.isFile()) {
      everyFile.push(file)
      add(file)
    }
  }
}

function add(file: string): void {
  if (!/\.(ts|tsx|mjs)$/.test(file) || file.endsWith('.d.ts')) return
  sources.set(file, fs.readFileSync(path.join(root, file), 'utf8'))
}

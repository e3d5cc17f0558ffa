import { expect, test } from 'vitest'
import { readCoveragePage, readTestTitles, writeCoverageMarkdown } from './coverage-page.ts'

const row = { id: '1.2.3', sentence: 'Only the owner may close.', test: 'a/status.test.ts > open | closed > twice' }
const readOne = (line: unknown) => readCoveragePage(typeof line === 'string' ? line : JSON.stringify(line))

test('a page of coverage has demands, headings and notes, one a line', () => {
  const page = [{ heading: '## 2. States' }, row, { note: 'Not shown by a test: the moon.' }]
  const { lines, malformed } = readCoveragePage(page.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(malformed).toEqual([])
  expect([...lines]).toEqual([
    [1, { heading: '## 2. States' }],
    [2, { id: '1.2.3', sentence: row.sentence, file: 'a/status.test.ts', title: 'open | closed > twice' }],
    [3, { note: 'Not shown by a test: the moon.' }],
  ])
})

test.each([
  '',
  '| Only the owner may close. | a/status.test.ts | open |',
  'null',
  '{"heading":"2. States"}',
  '{"note":""}',
  { ...row, id: '1.2' },
  { ...row, id: '' },
  { ...row, sentence: '' },
  { ...row, sentence: 7 },
  { ...row, test: 'a/status.test.ts' },
  { ...row, test: 'a/status.test.ts > ' },
  { ...row, note: 'with it' },
  { id: row.id, sentence: row.sentence },
])('a line that is none of them is malformed: %j', (line) => {
  expect(readOne(line)).toEqual({ lines: new Map(), malformed: [1] })
})

test('the page for readers has a table below each heading', () => {
  const { lines } = readCoveragePage(
    [{ heading: '## 2. States' }, row, { ...row, id: '1.2.4' }, { note: 'Not shown by a test: the moon.' }, row]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  expect(writeCoverageMarkdown(lines.values())).toBe(`## 2. States

| id | sentence | test file | test title |
| --- | --- | --- | --- |
| 1.2.3 | Only the owner may close. | \`a/status.test.ts\` | \`open \\| closed > twice\` |
| 1.2.4 | Only the owner may close. | \`a/status.test.ts\` | \`open \\| closed > twice\` |

Not shown by a test: the moon.

| id | sentence | test file | test title |
| --- | --- | --- | --- |
| 1.2.3 | Only the owner may close. | \`a/status.test.ts\` | \`open \\| closed > twice\` |
`)
})

test('titles are those of tests, however they are written, and not of what only looks like one', () => {
  const source = `
    describe('a group', () => {
      test('plain', () => {})
      it("with 'quotes'", () => {})
      test.each([1])('each %i', () => {})
      test.for([1])(\`for \${1}\`, () => {})
      // test('in a comment', () => {})
      log('elsewhere')
    })`
  expect([...readTestTitles('a.test.ts', source)]).toEqual(['plain', "with 'quotes'", 'each %i', 'for ${1}'])
})

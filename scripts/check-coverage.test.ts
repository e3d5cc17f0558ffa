import { expect, test } from 'vitest'
import { readCoverageTable, readTestTitles } from './check-coverage.ts'

test('the table of coverage is read row by row, in as many tables as the page has', () => {
  const page = [
    '# Coverage',
    '| sentence | test file | test title |',
    '|---|---|---|',
    '| Only the owner may close. | `a/status.test.ts` | only the owner may close an event |',
    '',
    '| sentence | test file | test title |',
    '| :-- | --- | --- |',
    '| Open \\| closed. | b.test.ts | open \\| closed |',
    '| A row without its title. | b.test.ts | |',
  ].join('\n')
  expect(readCoverageTable(page)).toEqual({
    rows: [
      {
        line: 4,
        sentence: 'Only the owner may close.',
        file: 'a/status.test.ts',
        title: 'only the owner may close an event',
      },
      { line: 8, sentence: 'Open | closed.', file: 'b.test.ts', title: 'open | closed' },
    ],
    malformed: [9],
  })
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

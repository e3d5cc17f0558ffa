import { expect, test } from 'vitest'
import { writeCsv } from './panel.tsx'

test('a table is written as CSV that neither an encoding nor a formula can spoil', () => {
  const file = writeCsv({
    columns: [
      { key: 'name', label: 'Name', kind: 'text' },
      { key: 'median', label: 'Median to close', kind: 'seconds' },
      { key: 'share', label: 'Share', kind: 'share' },
      { key: 'day', label: 'Day', kind: 'day' },
    ],
    rows: [
      ['ÄKTA, "pure"', 90, 0.25, '2026-11-20'],
      ['=HYPERLINK("x")', null, -1, null],
      ['+49 30', 0, 1, null],
      ['@a', 1, 1, null],
      ['two\nlines', 1, 1, null],
    ],
  })
  expect(file).toBe(
    [
      '\uFEFFName,Median to close (s),Share,Day',
      '"ÄKTA, ""pure""",90,0.25,2026-11-20',
      `"'=HYPERLINK(""x"")",,-1,`,
      "'+49 30,0,1,",
      "'@a,1,1,",
      '"two\nlines",1,1,',
      '',
    ].join('\r\n'),
  )
})

import { expect, it } from 'vitest'
import { quoted } from './page-boxes.tsx'

it.each([
  ['ÄKTA pure 25', '"ÄKTA pure 25"'],
  ['a "quoted" name', '"a \\22 quoted\\22  name"'],
  ['back\\slash', '"back\\5c slash"'],
  ['line\nend', '"line\\a end"'],
])('%s can stand in a style sheet and end nothing', (text, written) => {
  expect(quoted(text)).toBe(written)
})

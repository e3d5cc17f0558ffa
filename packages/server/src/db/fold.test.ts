import { expect, test } from 'vitest'
import { fold } from './fold.ts'

test.each([
  ['ÄKTA', 'akta'],
  ['PILOT-UPP_02', 'pilot-upp_02'],
  ['Ørsted', 'orsted'],
  ['Łódź', 'lodz'],
  ['Weißstraße', 'weissstrasse'],
  ['Ærø', 'aero'],
  ['Đà Nẵng', 'da nang'],
  ['ﬁlter ①', 'filter 1'],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test('text that is folded stays as it is when folded again', () => {
  for (const text of ['ÄKTA', 'Ørsted', 'ẞ', 'İzmir', 'Ǽ']) expect(fold(fold(text))).toBe(fold(text))
})

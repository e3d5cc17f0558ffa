import { expect, test } from 'vitest'
import { contentTag, namesTag, requireUnchanged } from './etag.ts'

test.each(['"7"', 'W/"7"', '7', '*', '"6", "7"', ' "7" '])('the header %s names version 7', (header) => {
  expect(namesTag(header, '"7"')).toBe(true)
  expect(namesTag(header, 'W/"7"')).toBe(true)
})

test.each([undefined, '"6"', 'W/"8"', '"77"', '""', '', '"7', 'seven', '"6", "8"', '7.0', '"07x"'])(
  'the header %s names another version than 7',
  (header) => {
    expect(namesTag(header, '"7"')).toBe(false)
  },
)

test('a change is refused if its record differs or does not exist', () => {
  const stored = contentTag({ name: 'Site A', city: null })
  const refusal = { code: 'version-mismatch' }
  expect(() => requireUnchanged(contentTag({ name: 'Site B', city: null }), stored)).toThrow(
    expect.objectContaining(refusal),
  )
  expect(() => requireUnchanged('*', null)).toThrow(expect.objectContaining(refusal))
  for (const header of [undefined, '*', stored, contentTag({ name: 'Site A', city: null })])
    requireUnchanged(header, stored)
  requireUnchanged(undefined, null)
})

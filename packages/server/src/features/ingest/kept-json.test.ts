import { expect, it } from 'vitest'
import { keptJson } from './kept-json.ts'

it('keeps an ordinary item as it is', () => {
  const item = { id: 'a-1', data: { text: 'tab\t "quoted" back\\slash \\u0000 as text', n: [1, null, true] } }
  expect(JSON.parse(keptJson(item))).toEqual(item)
})

it('replaces NUL and half surrogate pairs, in values and in names', () => {
  expect(JSON.parse(keptJson({ 'a\0b': 'x\0y', '\ud800': '\udfff', pair: '😀' }))).toEqual({
    'a\ufffdb': 'x\ufffdy',
    '\ufffd': '\ufffd',
    pair: '😀',
  })
})

it('keeps __proto__ as a name like any other', () => {
  expect(keptJson(JSON.parse('{"__proto__":{"admin":true}}'))).toBe('{"__proto__":{"admin":true}}')
})

it('does not follow nesting without end', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(keptJson(deep)).toContain('nested deeper than 200 levels')
})

it('keeps what is not even an object', () => {
  expect([undefined, null, 7, 'x'].map(keptJson)).toEqual(['null', 'null', '7', '"x"'])
})

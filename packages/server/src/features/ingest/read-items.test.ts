import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { KnownIds, keptJson, newestReports } from './read-items.ts'

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

describe('known ids', () => {
  const stored = new Map([1, 2, 3, 4].map((id) => [`name ${id}`, id]))

  /** Looks up names and returns those that had to be read. */
  function reader(known: KnownIds) {
    return async (...ids: number[]) => {
      const read: string[] = []
      const found = await known.find(
        ids.map((id) => `name ${id}`),
        async (unknown) => {
          read.push(...unknown)
          return new Map(unknown.flatMap((name) => (stored.has(name) ? [[name, stored.get(name) ?? 0]] : [])))
        },
      )
      return { found: Object.fromEntries(found), read }
    }
  }

  test('reads a name once, and again one that was not there', async () => {
    const find = reader(new KnownIds())
    expect(await find(1, 9)).toEqual({ found: { 'name 1': 1 }, read: ['name 1', 'name 9'] })
    expect(await find(1, 9)).toEqual({ found: { 'name 1': 1 }, read: ['name 9'] })
  })

  test('an emptied memory does not take stored items for new ones', async () => {
    const find = reader(new KnownIds(2))
    await find(1, 2, 3)
    expect(await find(1, 4)).toEqual({ found: { 'name 1': 1, 'name 4': 4 }, read: ['name 1', 'name 4'] })
  })
})

describe('newest reports', () => {
  const report = fc.record({ key: fc.constantFrom('a', 'b'), epoch: fc.nat(3), sequence: fc.nat(5), told: fc.nat() })

  describe('the newest reports', () => {
    it('are one for each key, and none was counted later', () => {
      fc.assert(
        fc.property(fc.array(report), (reports) => {
          const newest = newestReports(reports, ({ key }) => key)
          expect(newest.map(({ key }) => key).sort()).toEqual([...new Set(reports.map(({ key }) => key))].sort())
          for (const { key, epoch, sequence } of newest) {
            const later = reports.filter(
              (one) => one.key === key && (one.epoch > epoch || (one.epoch === epoch && one.sequence > sequence)),
            )
            expect(later).toEqual([])
          }
        }),
      )
    })

    it('are the last of those with the same number', () => {
      const reports = [1, 2, 3].map((told) => ({ epoch: 1, sequence: 7, told }))
      expect(newestReports(reports, () => '')).toEqual([{ epoch: 1, sequence: 7, told: 3 }])
    })
  })
})

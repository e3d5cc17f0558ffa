import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OwnedRows } from './event-columns.ts'

test('the rows of some owners are those that have them, ascending', () => {
  const owner = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(
      fc.array(owner, { maxLength: 300, size: 'max' }),
      fc.uniqueArray(owner, { maxLength: 4 }),
      (owners, wanted) => {
        const into = new Uint32Array(owners.length)
        const expected = owners.flatMap((one, row) => (wanted.includes(one) ? [row] : []))
        const count = new OwnedRows(Int32Array.from(owners)).write(wanted, into)
        // Undefined stands for all of them.
        if (count === undefined) expect(expected.length).toBeGreaterThan(owners.length / 4)
        else expect([...into.subarray(0, count)]).toEqual(expected)
      },
    ),
  )
})

test('where several owners have most rows each row is looked at instead', () => {
  const rows = new OwnedRows(Int32Array.from({ length: 80 }, (_, row) => row % 4))
  const into = new Uint32Array(80)
  expect(rows.write([2], into)).toBe(20)
  expect(rows.write([1, 2], into)).toBeUndefined()
  expect(rows.write([9], into)).toBe(0)
})

import { expect, test } from 'vitest'
import { KnownIds } from './known-ids.ts'

const stored = new Map([1, 2, 3, 4].map((id) => [`name ${id}`, id]))

/** Asks for names and tells which of them had to be read. */
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

test('a memory that begins anew takes nothing that is stored for new', async () => {
  const find = reader(new KnownIds(2))
  await find(1, 2, 3)
  expect(await find(1, 4)).toEqual({ found: { 'name 1': 1, 'name 4': 4 }, read: ['name 1', 'name 4'] })
})

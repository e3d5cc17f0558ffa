import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, resolve, reject }
}

test('work of one key runs one after the other, of another key beside it', async () => {
  const turns = new Turns({ atOnce: 1, maxWaiting: 10 })
  const begun: string[] = []
  const [first, second, other] = [work(), work(), work()]
  const run =
    (name: string, { promise }: ReturnType<typeof work>) =>
    async () => {
      begun.push(name)
      return promise
    }
  const results = [
    turns.take('a', run('first', first)),
    turns.take('a', run('second', second)),
    turns.take('b', run('other', other)),
  ]
  other.resolve('3')
  expect(await results[2]).toBe('3')
  expect(begun).toEqual(['first', 'other'])
  first.reject(new Error('went wrong'))
  await expect(results[0]).rejects.toThrow('went wrong')
  second.resolve('2')
  expect(await results[1]).toBe('2')
  expect(begun).toEqual(['first', 'other', 'second'])
})

test('too many of one key are refused, until one has finished', async () => {
  const turns = new Turns({ atOnce: 1, maxWaiting: 1 })
  const held = work()
  const first = turns.take('a', () => held.promise)
  const second = turns.take('a', async () => 'second')
  expect(turns.take('a', async () => 'third')).toBeUndefined()
  expect(await turns.take('b', async () => 'other')).toBe('other')
  held.resolve('first')
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  expect(await turns.take('a', async () => 'again')).toBe('again')
})

test('several of one key run at once where that is allowed', async () => {
  const turns = new Turns({ atOnce: 2, maxWaiting: 10 })
  const begun: number[] = []
  const held = Array.from({ length: 4 }, work)
  const results = held.map(({ promise }, index) =>
    turns.take('a', async () => {
      begun.push(index)
      return promise
    }),
  )
  expect(begun).toEqual([0, 1])
  held[1]?.resolve('one')
  await results[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of held) resolve('rest')
  for (const result of results) await result
  expect(begun).toEqual([0, 1, 2, 3])
})

import { expect, test } from 'vitest'
import { onceMore } from './once-more.ts'

/** Work of which each turn ends when told to. */
function turns() {
  const ends: (() => void)[] = []
  return {
    ends,
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
  }
}

const running = new AbortController().signal

test('whoever asks while it is busy has it look once more, however many they are', async () => {
  const { ends, work } = turns()
  const knock = onceMore(work)
  const first = knock(running)
  await Promise.all([knock(running), knock(running)])
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await first
  expect(ends).toHaveLength(2)
  const later = knock(running)
  expect(ends).toHaveLength(3)
  ends[2]?.()
  await later
})

test('as many work side by side as there are lanes', async () => {
  const { ends, work } = turns()
  const knock = onceMore(work, 2)
  const both = [knock(running), knock(running)]
  await knock(running)
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  await Promise.all(both)
  expect(ends).toHaveLength(3)
})

test('a failure is that of the one that worked, and leaves its lane', async () => {
  let isFailing = true
  const knock = onceMore(async () => {
    if (isFailing) throw new Error('The database is away.')
  })
  await expect(knock(running)).rejects.toThrow('The database is away.')
  isFailing = false
  await expect(knock(running)).resolves.toBeUndefined()
})

test('nothing is begun once it is to stop', async () => {
  const { ends, work } = turns()
  const stopping = new AbortController()
  const knock = onceMore(work)
  const first = knock(stopping.signal)
  await knock(stopping.signal)
  stopping.abort()
  ends[0]?.()
  await first
  expect(ends).toHaveLength(1)
})

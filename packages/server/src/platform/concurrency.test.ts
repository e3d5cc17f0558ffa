import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { coalesce, InFlight, Queue, Signal } from './concurrency.ts'

function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, resolve, reject }
}

test('work of one key runs one after the other, of another key beside it', async () => {
  const turns = new Queue({ atOnce: 1, maxWaiting: 10 })
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
  const turns = new Queue({ atOnce: 1, maxWaiting: 1 })
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
  const turns = new Queue({ atOnce: 2, maxWaiting: 10 })
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

describe('bell', () => {
  const HOUR = 3_600_000

  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** Returns a function that tells whether the wait is over, without waiting for it. */
  function watch(wait: Promise<void>): () => boolean {
    let over = false
    void wait.then(() => {
      over = true
    })
    return () => over
  }

  test('a wait ends after its time, and not before', async () => {
    const over = watch(new Signal().wait(HOUR, new AbortController().signal))
    await vi.advanceTimersByTimeAsync(HOUR - 1)
    expect(over()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(over()).toBe(true)
  })

  test('a ring ends the wait at once', async () => {
    const bell = new Signal()
    const wait = bell.wait(HOUR, new AbortController().signal)
    bell.ring()
    await expect(wait).resolves.toBeUndefined()
  })

  test('a ring during work ends the next wait, and only that', async () => {
    const bell = new Signal()
    const { signal } = new AbortController()
    bell.ring()
    bell.ring()
    await bell.wait(HOUR, signal)
    const over = watch(bell.wait(HOUR, signal))
    await vi.advanceTimersByTimeAsync(HOUR - 1)
    expect(over()).toBe(false)
  })

  test('the end ends a wait, and every later one', async () => {
    const bell = new Signal()
    const stopping = new AbortController()
    const wait = bell.wait(HOUR, stopping.signal)
    stopping.abort()
    await expect(wait).resolves.toBeUndefined()
    await expect(bell.wait(HOUR, stopping.signal)).resolves.toBeUndefined()
  })

  test('nothing stays behind after a wait', async () => {
    const bell = new Signal()
    const { signal } = new AbortController()
    for (let round = 0; round < 3; round += 1) {
      const wait = bell.wait(10, signal)
      await vi.advanceTimersByTimeAsync(10)
      await wait
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('under way', () => {
  test('knows how much is under way and how long the oldest of it waits', () => {
    let now = 1000
    const inFlight = new InFlight(() => now)
    expect([inFlight.count, inFlight.longestWait]).toEqual([0, 0])
    const endFirst = inFlight.begin()
    now = 1500
    const endSecond = inFlight.begin()
    now = 1700
    expect([inFlight.count, inFlight.longestWait]).toEqual([2, 700])
    endFirst()
    endFirst()
    expect([inFlight.count, inFlight.longestWait]).toEqual([1, 200])
    endSecond()
    expect([inFlight.count, inFlight.longestWait]).toEqual([0, 0])
  })
})

describe('once more', () => {
  /** Work whose runs end when the test says so. */
  function turns() {
    const ends: (() => void)[] = []
    return {
      ends,
      work: () => new Promise<void>((resolve) => ends.push(resolve)),
    }
  }

  const running = new AbortController().signal

  test('any number of requests while it is busy cause one more run', async () => {
    const { ends, work } = turns()
    const knock = coalesce(work)
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
    const knock = coalesce(work, 2)
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
    const knock = coalesce(async () => {
      if (isFailing) throw new Error('The database is away.')
    })
    await expect(knock(running)).rejects.toThrow('The database is away.')
    isFailing = false
    await expect(knock(running)).resolves.toBeUndefined()
  })

  test('nothing is begun once it is to stop', async () => {
    const { ends, work } = turns()
    const stopping = new AbortController()
    const knock = coalesce(work)
    const first = knock(stopping.signal)
    await knock(stopping.signal)
    stopping.abort()
    ends[0]?.()
    await first
    expect(ends).toHaveLength(1)
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deviceStore } from '../storage.ts'
import { holdTab, wereAllTabsClosed } from './open-tabs.ts'

const held = vi.fn<() => { name: string }[]>(() => [])

beforeEach(() => {
  localStorage.clear()
  held.mockReturnValue([])
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held: held() }) } })
})

afterEach(() => vi.unstubAllGlobals())

const lastSeen = (secondsAgo: number) => deviceStore.write('tabOpenAt', Date.now() - secondsAgo * 1000)

it('all tabs closed for over ten seconds is known on reopening', async () => {
  lastSeen(11)
  expect(await wereAllTabsClosed()).toBe(true)
})

it('a shorter absence counts as none', async () => {
  lastSeen(9)
  expect(await wereAllTabsClosed()).toBe(false)
})

it('an open tab counts however slow its timers are', async () => {
  lastSeen(3600)
  held.mockReturnValue([{ name: 'benchwatch.tab' }])
  expect(await wereAllTabsClosed()).toBe(false)
})

it('a browser that has never been here has closed nothing', async () => {
  expect(await wereAllTabsClosed()).toBe(false)
})

it('an open tab answers where the browser has no locks', async () => {
  vi.stubGlobal('navigator', {})
  lastSeen(3600)
  expect(await wereAllTabsClosed()).toBe(true)
  holdTab(() => true)
  expect(await wereAllTabsClosed()).toBe(false)
})

it('only a tab in which somebody is signed in notes that it is open', () => {
  vi.stubGlobal('navigator', {})
  vi.useFakeTimers()
  holdTab(() => false)
  vi.advanceTimersByTime(10_000)
  expect(deviceStore.read('tabOpenAt')).toBeNull()
  holdTab(() => true)
  vi.advanceTimersByTime(2000)
  expect(deviceStore.read('tabOpenAt')).toBe(Date.now())
  vi.useRealTimers()
})

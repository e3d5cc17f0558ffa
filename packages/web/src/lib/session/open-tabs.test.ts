import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deviceStore } from '../storage.ts'
import { wereAllTabsClosed } from './open-tabs.ts'

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

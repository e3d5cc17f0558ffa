import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

/**
 * Gives each test file its own state although the files of a worker share one window and the packages of node_modules:
 * afterwards the window is as empty as at the start, no timer is left, and the next file reads the modules of the app
 * anew.
 */
const { setTimeout, setInterval } = globalThis
const timers = new Set<NodeJS.Timeout>()
let isOver = false

function recorded(set: typeof setTimeout | typeof setInterval) {
  return (...given: Parameters<typeof setTimeout>) => {
    const timer = set(...given)
    // A package may keep the functions of the file that read it first.
    if (!isOver) timers.add(timer)
    return timer
  }
}

Object.assign(globalThis, { setTimeout: recorded(setTimeout), setInterval: recorded(setInterval) })

afterEach(cleanup)

// The first set-up file, so that this runs after the hooks of all others.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const timer of timers) clearTimeout(timer)
  isOver = true
  Object.assign(globalThis, { setTimeout, setInterval })
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=-1`
  history.replaceState(null, '', '/')
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  vi.resetModules()
})

import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { cleanup, render, screen } from '@testing-library/react'
import { lazy } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchMissingParts } from '../../lib/stale-build.ts'
import { LazyPart } from './lazy-part.tsx'

watchMissingParts({ now: () => 0, reload: () => undefined, isServerThere: () => Promise.resolve(false) })

const closed = vi.fn()

beforeEach(() => {
  // React logs the errors that its boundaries catch.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  cleanup()
  notifications.clean()
  closed.mockReset()
  vi.restoreAllMocks()
})

function show(load: () => Promise<{ default: () => string }>): void {
  const Panel = lazy(load)
  render(
    <MantineProvider env="test">
      <input aria-label="Comment" defaultValue="half a sentence" />
      <LazyPart onFailure={closed} fallback="Loading">
        <Panel />
      </LazyPart>
      <Notifications />
    </MantineProvider>,
  )
}

it('a part is shown once it is loaded', async () => {
  show(() => Promise.resolve({ default: () => 'All filters' }))
  expect(screen.getByText('Loading')).toBeTruthy()
  expect(await screen.findByText('All filters')).toBeTruthy()
})

it('a part that can’t be loaded says so, counts as closed, and leaves the screen as it is', async () => {
  show(() => {
    // The event that Vite fires.
    const payload = new Error('Failed to fetch dynamically imported module: /assets/panel.js')
    window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))
    return Promise.reject(payload)
  })
  expect(await screen.findByText('This could not be opened')).toBeTruthy()
  expect(screen.getByText(/Check your connection, then reload/)).toBeTruthy()
  expect(closed).toHaveBeenCalledOnce()
  expect(screen.getByLabelText('Comment')).toHaveProperty('value', 'half a sentence')
  expect(screen.queryByText('Loading')).toBeNull()
})

it('what breaks otherwise continues to the screen’s own boundary', async () => {
  const Broken = () => {
    throw new Error('No such thing')
  }
  expect(() =>
    render(
      <MantineProvider env="test">
        <LazyPart onFailure={closed}>
          <Broken />
        </LazyPart>
      </MantineProvider>,
    ),
  ).toThrow('No such thing')
  expect(closed).not.toHaveBeenCalled()
})

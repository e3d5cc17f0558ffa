import { MantineProvider } from '@mantine/core'
import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showFailure, showSending, showUndo } from './toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  act(() => notifications.clean())
  cleanup()
  vi.useRealTimers()
})

it('a failure that occurs again while its toast is shown stays as long as the first one', () => {
  render(
    <MantineProvider env="test">
      <Notifications />
    </MantineProvider>,
  )
  const fail = () => act(() => showFailure({ title: 'Could not update event: ORC-7', message: 'The server is busy.' }))
  // A toast leaves with an animation, whose time begins once its own time is over.
  const wait = (seconds: number) => {
    for (let second = 0; second < seconds; second++)
      act(() => {
        vi.advanceTimersByTime(1000)
      })
  }
  fail()
  wait(9)
  fail()
  wait(9)
  expect(screen.getAllByText('The server is busy.')).toHaveLength(1)
  wait(3)
  expect(screen.queryByText('The server is busy.')).toBeNull()
})

it('an offer to undo that waits behind other messages ends before the server would refuse it', () => {
  act(() => showUndo({ title: 'Anna set as owner on event' }, () => undefined))
  act(() => {
    vi.advanceTimersByTime(51_000)
  })
  expect(notificationsStore.getState().notifications).toEqual([])
})

it('a change without an answer says after a while that it is still being sent, until it is answered', async () => {
  const answer = Promise.withResolvers<string>()
  const changed = showSending('ORC-7', answer.promise)
  expect(notificationsStore.getState().notifications).toEqual([])
  act(() => {
    vi.advanceTimersByTime(2500)
  })
  expect(notificationsStore.getState().notifications).toMatchObject([{ title: 'Still sending your change: ORC-7' }])
  answer.resolve('changed')
  expect(await act(() => changed)).toBe('changed')
  expect(notificationsStore.getState().notifications).toEqual([])
})

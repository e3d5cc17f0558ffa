import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showFailure } from './toasts.ts'

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

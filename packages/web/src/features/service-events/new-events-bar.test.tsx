import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { IsLive } from '../../lib/is-live.ts'
import { NewEventsBar } from './new-events-bar.tsx'

afterEach(cleanup)

const loadedAt = new Date(2026, 10, 22, 4, 29).getTime()

function show(props: { count: number; isLive?: boolean; hasFailed?: boolean; loadedAt?: number }) {
  render(
    <IsLive value={props.isLive ?? true}>
      <NewEventsBar
        count={props.count}
        loadedAt={props.loadedAt ?? loadedAt}
        hasFailed={props.hasFailed ?? false}
        onLoad={vi.fn()}
      />
    </IsLive>,
  )
  return screen.getByRole('status').textContent
}

describe('the strip above the list', () => {
  it.each([
    [{ count: 0 }, 'No new events since 04:29'],
    [{ count: 0, loadedAt: 0 }, 'Loading events…'],
    [{ count: 1 }, '1 new event'],
    [{ count: 0, hasFailed: true }, 'Could not get events; these are of 04:29. Try again'],
    // What was told before the connection was lost is still true.
    [{ count: 2, isLive: false }, '2 new events'],
    [{ count: 0, isLive: false }, 'Offline: these are of 04:29, newer ones are not known'],
  ])('%o reads %s', (props, words) => {
    expect(show(props)).toBe(words)
  })
})

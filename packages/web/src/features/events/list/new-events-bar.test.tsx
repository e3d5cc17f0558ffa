import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { IsLive } from '../../../lib/live-handler.ts'
import { NewEventsBar } from './new-events-bar.tsx'

afterEach(cleanup)

const loadedAt = new Date(2026, 10, 22, 4, 29).getTime()

function show(props: { count: number; isLive?: boolean; polledAt?: number; hasFailed?: boolean; loadedAt?: number }) {
  render(
    <IsLive value={props.isLive ?? true}>
      <NewEventsBar
        count={props.count}
        loadedAt={props.loadedAt ?? loadedAt}
        polledAt={props.polledAt ?? null}
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
    [{ count: 0, hasFailed: true }, 'Could not get events; list as of 04:29. Try again'],
    // Counts from before the connection was lost are still correct.
    [{ count: 2, isLive: false }, '2 new events'],
    [{ count: 0, isLive: false, polledAt: loadedAt + 60_000 }, 'Not live: checked every 10 s, no new events at 04:30'],
    [{ count: 0, isLive: false }, 'Offline: list as of 04:29'],
  ])('%o reads %s', (props, words) => {
    expect(show(props)).toBe(words)
  })

  it('keeps the focus of whoever loads by the keyboard, one stop before the list', async () => {
    function List() {
      const [count, setCount] = useState(2)
      return (
        <>
          <NewEventsBar count={count} loadedAt={loadedAt} hasFailed={false} onLoad={() => setCount(0)} />
          <a href="/events/7">ORC-7</a>
        </>
      )
    }
    render(<List />)
    const person = userEvent.setup()
    await person.tab()
    await person.keyboard('{Enter}')
    expect(screen.queryByRole('button')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('status'))
    await person.tab()
    expect(document.activeElement).toBe(screen.getByRole('link'))
  })
})

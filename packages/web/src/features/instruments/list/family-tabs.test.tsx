import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { FamilyTabs } from './instrument-list.tsx'

let answer: () => Response

beforeEach(() => {
  answer = () => Response.json(['WAVE 25', 'ÄKTA pure', 'UniFlux'])
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async () => answer())
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        <FamilyTabs family="All" panel="panel" onFamily={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

describe('the strip of families', () => {
  it('is moved by its arrows, 400 px a step, where it is longer than the screen', async () => {
    show()
    await screen.findByRole('tab', { name: 'UniFlux' })
    const strip = screen.getByRole('tablist', { name: 'Instrument families' })
    // jsdom has no layout: simulate a strip of 1,000 px in 600 px, scrolled to its middle.
    const scrollBy = vi.fn()
    Object.defineProperties(strip, { scrollWidth: { value: 1000 }, clientWidth: { value: 600 } })
    Object.assign(strip, { scrollLeft: 200, scrollBy })
    fireEvent.scroll(strip)
    fireEvent.click(await screen.findByRole('button', { name: 'More families' }))
    fireEvent.click(screen.getByRole('button', { name: 'Earlier families' }))
    expect(scrollBy.mock.calls).toEqual([[{ left: 400 }], [{ left: -400 }]])
  })

  it('says by a toast and in its place that families could not be had', async () => {
    answer = () => Response.json({ ErrorBody: 'Down.' }, { status: 400 })
    show()
    expect(await screen.findByText('Could not get instrument families')).toBeTruthy()
    expect(screen.getByText(/^Could not get instrument families\./)).toBeTruthy()
  })
})

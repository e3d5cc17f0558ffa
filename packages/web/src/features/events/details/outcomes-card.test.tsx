import type { EventOutcomes, Outcome } from '@benchwatch/contract/events/event-details'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { OutcomesCard, returnLabel } from './outcomes-card.tsx'

const TITLE = 'How this error was closed before'
const anOutcome = (changes: Partial<Outcome> = {}): Outcome => ({
  reasonClosed: 'Service Case Created',
  events: 40,
  medianSeconds: 7200,
  within7Days: { events: 40, cameBack: 6 },
  within30Days: { events: 12, cameBack: 3 },
  ...changes,
})
const start = '2023-11-20T14:00:00.000Z'
let answer: () => Response

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async () => answer())
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show(outcomes: EventOutcomes) {
  answer = () => Response.json(outcomes)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <OutcomesCard event={aServiceEvent()} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const cells = async () =>
  (await screen.findAllByRole('row')).slice(1).map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  )

describe('how this error was closed before', () => {
  it('shows reasons with count, median time and returns, and which events are counted', async () => {
    show({
      inScope: { start, values: [anOutcome(), anOutcome({ reasonClosed: 'Duplicate event', within30Days: null })] },
      everywhere: null,
    })
    expect(await cells()).toEqual([
      ['Service Case Created', '40', '2 h', '15%', '3 of 12'],
      ['Duplicate event', '40', '2 h', '15%', '–'],
    ])
    const card = screen.getByRole('region', { name: TITLE })
    expect(card.textContent).toContain(
      '80 other closed events with this error from all customers, raised since 20-Nov-2023',
    )
    expect(within(card).queryByText('All customers')).toBeNull()
  })

  it('shows the counts of all customers on request, and alone where the user has none', async () => {
    const person = userEvent.setup()
    const everywhere = { start, values: [anOutcome({ events: 900 })] }
    show({ inScope: { start, values: [anOutcome({ events: 2 })] }, everywhere })
    expect((await cells())[0]?.[1]).toBe('2')
    await person.click(screen.getByText('All customers'))
    expect((await cells())[0]?.[1]).toBe('900')
    cleanup()
    show({ inScope: { start, values: [] }, everywhere })
    expect((await cells())[0]?.[1]).toBe('900')
  })

  it('says so when it could not be read, and tries again on request', async () => {
    show({ inScope: { start, values: [anOutcome()] }, everywhere: null })
    const good = answer
    cleanup()
    answer = () => Response.json({ ErrorBody: 'No.' }, { status: 404 })
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <OutcomesCard event={aServiceEvent()} />
        </QueryClientProvider>
      </MantineProvider>,
    )
    const again = await screen.findByRole('button', { name: 'Try again' })
    answer = good
    await userEvent.setup().click(again)
    expect(await cells()).toHaveLength(1)
  })
})

describe('a share of returns', () => {
  it.each([
    [null, null],
    [{ events: 0, cameBack: 0 }, null],
    [{ events: 12, cameBack: 3 }, '3 of 12'],
    [{ events: 20, cameBack: 3 }, '15%'],
    [{ events: 1000, cameBack: 1 }, '< 1%'],
    [{ events: 1000, cameBack: 999 }, '> 99%'],
    [{ events: 1000, cameBack: 0 }, '0%'],
    [{ events: 1000, cameBack: 1000 }, '100%'],
  ])('of %o reads %s', (returns, label) => expect(returnLabel(returns)).toBe(label))
})

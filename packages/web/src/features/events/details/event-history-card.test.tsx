import type { HistoryEntry } from '@benchwatch/contract/events/event-details'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { formatEventTime, formatTooltipTime } from '../../../lib/time/dates.ts'
import { EventHistoryCard, historyLines, historySentence } from './event-history-card.tsx'

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

const at = (minute: number) => new Date(Date.parse('2026-11-20T14:00:00.000Z') + minute * 60_000).toISOString()

function entry(minute: number, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    at: at(minute),
    actorId: '1',
    actorName: 'Anna Lind',
    action: 'update',
    property: 'reasonClosedComment',
    oldValue: null,
    newValue: `Comment ${minute}`,
    reason: null,
    ...changes,
  }
}

function show(entries: HistoryEntry[]) {
  answer = () => Response.json({ values: entries })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <EventHistoryCard event={aServiceEvent()} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

describe('the history card', () => {
  it('shows who did what, newest first, with the full time on hover', async () => {
    show([entry(0, { action: 'created', property: null, actorId: null, actorName: 'GW-UPP-01' }), entry(5)])
    const [newest, oldest] = await screen.findAllByRole('listitem')
    expect(newest?.textContent).toBe(`Anna Lind wrote the commentComment 5${formatEventTime(at(5))}`)
    expect(oldest?.textContent).toContain('GW-UPP-01 delivered the event')
    expect(within(oldest as HTMLElement).getByText(formatEventTime(at(0))).title).toContain(formatTooltipTime(at(0)))
  })

  it('shows the latest 20, and all of them on request', async () => {
    const person = show(Array.from({ length: 23 }, (_, minute) => entry(minute)))
    expect(await screen.findAllByRole('listitem')).toHaveLength(20)
    expect(screen.getByText('Comment 22')).toBeTruthy()
    expect(screen.queryByText('Comment 2')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Show all 23' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(23)
    await person.click(screen.getByRole('button', { name: 'Show the latest 20' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(20)
  })

  it('shows markup that somebody wrote as text', async () => {
    show([entry(0, { newValue: '<img src=x onerror="alert(1)">' })])
    expect(await screen.findByText('<img src=x onerror="alert(1)">')).toBeTruthy()
    expect(document.querySelector('img')).toBeNull()
  })

  it('says so when it could not be read, and tries again on request', async () => {
    const person = show([])
    cleanup()
    answer = () => Response.json({ status: 500, ErrorBody: 'Why.' }, { status: 500 })
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <EventHistoryCard event={aServiceEvent()} />
        </QueryClientProvider>
      </MantineProvider>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('Could not get the history.')
    answer = () => Response.json({ values: [entry(0)] })
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Comment 0')).toBeTruthy()
  })
})

describe('event history', () => {
  function entry(changes: Partial<HistoryEntry>): HistoryEntry {
    return {
      at: '2026-11-20T14:04:11.000Z',
      actorId: '1',
      actorName: 'Anna Lind',
      action: 'update',
      property: null,
      oldValue: null,
      newValue: null,
      reason: null,
      ...changes,
    }
  }

  describe('the history of an event', () => {
    it.each([
      [{ action: 'created', actorId: null, actorName: 'GW-UPP-01' }, 'delivered the event'],
      [{ action: 'created' }, 'created the event'],
      [{ action: 'created', actorId: 'SYSTEM', actorName: 'Automatic' }, 'created the event'],
      [{ property: 'claimedBy', newValue: '1' }, 'became owner'],
      [{ property: 'claimedBy', newValue: 'Anna Lind' }, 'became owner'],
      [{ property: 'claimedBy', newValue: 'Jonas Berg' }, 'set the owner to Jonas Berg'],
      [{ property: 'alertStatus', newValue: '2_IN_PROGRESS' }, 'set status to In progress'],
      [
        { property: 'alertStatus', newValue: '3_CLOSED', reason: 'Duplicate event' },
        'set status to Closed - Duplicate event',
      ],
      [{ property: 'serviceMaxCaseNumber', newValue: '00123456' }, 'set the case number to 00123456'],
      [{ property: 'serviceMaxUrl', newValue: null }, 'removed the case URL'],
      [{ property: 'serviceCase', newValue: 'requested' }, 'asked for a case'],
      [{ property: 'serviceCase', newValue: null }, 'stopped creating the case'],
      [
        { property: 'serviceCase', newValue: '00123456' },
        'created case 00123456, which the event no longer waited for',
      ],
      [{ property: 'clearedAt', newValue: '2026-11-20T14:00:00.000Z' }, 'returned to normal'],
    ] as [Partial<HistoryEntry>, string][])('reads %o as a sentence', (changes, sentence) => {
      expect(historySentence(entry(changes))).toEqual({ text: sentence, quote: null })
    })

    it('quotes comments', () => {
      expect(historySentence(entry({ property: 'reasonClosedComment', newValue: 'Seen.' }))).toEqual({
        text: 'wrote the comment',
        quote: 'Seen.',
      })
      expect(historySentence(entry({ property: 'caseStatus', newValue: 'Closed', reason: 'Valve replaced.' }))).toEqual(
        {
          text: 'set the status of the case to Closed',
          quote: 'Valve replaced.',
        },
      )
      expect(historySentence(entry({ action: 'shared', newValue: 'Jonas Berg', reason: 'Please look.' }))).toEqual({
        text: 'shared the event with Jonas Berg',
        quote: 'Please look.',
      })
    })

    it('shows the newest first, and the reason of a closing only beside its status', () => {
      const created = entry({ action: 'created', at: '2026-11-20T14:00:00.000Z' })
      const closed = entry({ property: 'alertStatus', newValue: '3_CLOSED', reason: 'Duplicate event' })
      const reason = entry({ property: 'reasonClosed', newValue: 'Duplicate event' })
      const laterReason = entry({
        property: 'reasonClosed',
        newValue: 'No action required',
        at: '2026-11-20T15:00:00.000Z',
      })
      expect(historyLines([created, closed, reason, laterReason])).toEqual([laterReason, closed, created])
    })
  })
})

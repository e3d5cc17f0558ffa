import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { formatClock, formatTooltipTime } from '../../lib/dates.ts'
import { eventColumns } from './event-list.columns.ts'
import { EventRow } from './event-row.tsx'

const now = Date.parse('2026-11-20T14:02:23.000Z')

afterEach(cleanup)

function show(
  changes: Partial<ServiceEvent> = {},
  { removed = false, statusesAsOf = null as number | null } = {},
): HTMLElement {
  const alarm = aListedServiceEvent(changes)
  render(
    <table>
      <tbody>
        <EventRow
          row={removed ? { alarm, removed } : { alarm }}
          columns={eventColumns.all}
          viewer={{ id: '1', role: 'service' }}
          now={now}
          isSelected={false}
          isExpanded={false}
          isCurrent={false}
          isDescribed={false}
          statusesAsOf={statusesAsOf}
        />
      </tbody>
    </table>,
  )
  return screen.getByRole('row')
}

describe('a row of the list', () => {
  it.each([
    ['high', 'HIGH'],
    ['medium', 'MED'],
    ['low', 'LOW'],
  ] as const)('shows the severity %s as %s', (severity, word) => {
    expect(show({ severity }).textContent).toContain(word)
  })

  it('shows the event id with ORC- before it, leading to /events/{eventId}', () => {
    show()
    expect(screen.getByRole('link', { name: 'ORC-104882' }).getAttribute('href')).toBe('/events/104882')
  })

  it('shows the age counted from createdAt, with the full time on hover', () => {
    show({ siteTimeZone: null })
    const age = screen.getByText('4 min')
    expect(age.title).toBe(formatTooltipTime('2026-11-20T13:58:23.000Z'))
  })

  it('tells the time at the instrument, too, where its clock differs', () => {
    show({ siteTimeZone: 'Asia/Tokyo' })
    expect(screen.getByText('4 min').title).toBe(
      `${formatTooltipTime('2026-11-20T13:58:23.000Z')}\nAt the instrument: Nov 20, 2026 @ 22:58 (Asia/Tokyo)`,
    )
  })

  it.each([
    ['1_NEW', 'N', 'New'],
    ['2_IN_PROGRESS', 'P', 'In progress'],
    ['3_CLOSED', 'C', 'Closed'],
  ] as const)('shows %s as a block %s', (alertStatus, letter, name) => {
    show({ alertStatus })
    expect(screen.getByRole('img', { name }).dataset['letter']).toBe(letter)
  })

  it.each([
    ['method run', 'green'],
    ['wash', 'blue'],
    ['alarms and errors', 'red'],
    ['Unknown', 'unknown'],
  ] as const)('shows the instrument status %s as %s', (instrumentStatus, colour) => {
    show({ instrumentStatus })
    const dot = screen.getByRole('img', { name: `Instrument status: ${instrumentStatus}` })
    expect(dot.dataset['colour']).toBe(colour)
    expect(dot.textContent).toBe(colour === 'unknown' ? '?' : '')
  })

  it('says since when a status could not be confirmed', () => {
    const since = Date.parse('2026-11-20T13:58:00.000Z')
    show({ instrumentStatus: 'wash' }, { statusesAsOf: since })
    const clock = formatClock(new Date(since).toISOString())
    expect(screen.getByRole('img', { name: `Instrument status: wash, as of ${clock}` })).toBeTruthy()
  })

  it('marks what happened during maintenance', () => {
    expect(show().textContent).not.toContain('maintenance')
    cleanup()
    expect(show({ duringMaintenance: true }).textContent).toContain('maintenance')
  })

  it('marks what was stored an hour or more after it was generated as delayed', () => {
    expect(show().textContent).not.toContain('delayed')
    cleanup()
    expect(show({ logGeneratedAt: '2026-11-20T12:58:23.000Z' }).textContent).toContain('delayed')
  })

  it('marks a 24-hour contract, a repeat, a return to normal and a deletion', () => {
    const plain = show({ fullSupport: false }).textContent
    for (const mark of ['24 h', '×', 'returned to normal', 'deleted']) expect(plain).not.toContain(mark)
    cleanup()
    const row = show({ fullSupport: true, latchedCount: 2, clearedAt: '2026-11-20T14:00:00.000Z' }, { removed: true })
    for (const mark of ['24 h', '×3', 'returned to normal', 'deleted']) expect(row.textContent).toContain(mark)
  })

  it('has the e-mail icon only when an e-mail was sent', () => {
    expect(show().querySelector('td:last-child svg')).toBeNull()
    cleanup()
    expect(show({ automaticEmailSentAt: '2026-11-20T14:00:00.000Z' }).querySelector('td:last-child svg')).toBeTruthy()
  })

  it('shows location, customer and owner, and a dash or None where there is nothing', () => {
    expect(show({ claimedBy: '1', claimedByName: 'Anna Lind' }).textContent).toMatch(
      /Uppsala, Sweden.*Helix Biologics.*Me/,
    )
    cleanup()
    expect(show({ siteCity: null, siteCountry: null }).textContent).toMatch(/–.*None/)
  })
})

import type { ServiceCase, ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import * as settings from '../../../lib/page-settings.ts'
import { ClosingCard } from './closing-card.tsx'

const NOW = Date.parse('2026-11-20T14:00:00.000Z')
const wanted: ServiceCase = {
  requestedAt: '2026-11-20T13:59:00.000Z',
  requestedByName: 'Anna Lind',
  isCreated: false,
  lastError: null,
  retryAt: null,
  status: null,
  statusSince: null,
}
const mine = aServiceEvent({ alertStatus: '2_IN_PROGRESS', claimedBy: '1', version: 4 })
const sent: string[] = []

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW })
  vi.spyOn(settings, 'pageSettings').mockReturnValue({ ...settings.pageSettings(), caseDesk: 'ServiceNow' })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push(`${init.method} ${address}`)
    return Response.json({ ...mine, version: 5, serviceCase: null })
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  setCredentials(null)
  sent.length = 0
})

function show(event: ServiceEvent, viewerId = '1') {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Notifications />
        <ClosingCard event={event} viewer={{ id: viewerId, role: 'service' }} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
}

describe('an event whose case is being created', () => {
  it('says so, and who asked', () => {
    show({ ...mine, serviceCase: wanted })
    expect(screen.getByText(/Case is being created in ServiceNow\. The event is closed when it exists/)).toBeTruthy()
    expect(screen.getByText('Anna Lind')).toBeTruthy()
  })

  it('shows why it does not exist yet, and when the next attempt follows', () => {
    const lastError = 'ServiceNow is not available (503).'
    show({ ...mine, serviceCase: { ...wanted, lastError, retryAt: '2026-11-20T14:00:30.000Z' } })
    expect(screen.getByText(/ServiceNow is not available \(503\)\./).textContent).toMatch(/Next attempt: /)
    cleanup()
    show({ ...mine, serviceCase: { ...wanted, lastError, retryAt: '2026-11-20T13:59:30.000Z' } })
    expect(screen.getByText(/ServiceNow is not available/).textContent).toMatch(/The next attempt follows now\./)
  })

  it('can be stopped only by its owner', async () => {
    const person = show({ ...mine, serviceCase: wanted })
    await person.click(screen.getByRole('button', { name: 'Stop creating the case' }))
    expect(sent).toEqual([`DELETE /api/alarms/${mine.id}/service-case`])
    expect(await screen.findByText('Case is no longer being created')).toBeTruthy()
    cleanup()
    show({ ...mine, serviceCase: wanted }, '2')
    expect(screen.queryByRole('button', { name: 'Stop creating the case' })).toBeNull()
  })
})

it('an event that is closed with a case shows what the desk reported, and since when', () => {
  const statusSince = '2026-11-20T13:30:00.000Z'
  show({
    ...mine,
    alertStatus: '3_CLOSED',
    reasonClosed: 'Service Case Created',
    serviceMaxCaseNumber: '00123456',
    serviceCase: { ...wanted, isCreated: true, status: 'Technician on the way', statusSince },
  })
  expect(screen.getByText('Technician on the way').closest('dd')?.textContent).toMatch(/^Technician on the way since /)
  expect(document.querySelector(`time[datetime="${statusSince}"]`)).not.toBeNull()
})

it('an open event without a case shows nothing of it', () => {
  show({ ...mine, serviceCase: null })
  expect(screen.queryByText('Service case')).toBeNull()
})

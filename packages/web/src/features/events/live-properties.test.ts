import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { AlarmMessage, LiveMessage } from '@benchwatch/contract/live'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { serviceEventKeys } from './events.api.ts'
import { applyToServiceEvents } from './live.ts'

const shown = aServiceEvent({ id: '2', eventId: '2', version: 5, alertStatus: '2_IN_PROGRESS' })
const head = { id: '2', eventId: '2', version: 6, instrumentInstalledProductId: 'IP-20431187' }

/** A new value for every property that a live message about an event can contain. */
const told = {
  alertStatus: { alertStatus: '3_CLOSED', reasonClosed: 'Service Case Created' },
  claimedBy: { claimedBy: '9', claimedByName: 'Jonas Berg' },
  serviceMaxCaseNumber: { serviceMaxCaseNumber: '00123456' },
  serviceMaxUrl: { serviceMaxUrl: 'https://cases.benchwatch.example/00123456' },
  serviceCase: {
    serviceCase: {
      requestedAt: '2026-11-20T14:00:00.000Z',
      requestedByName: 'Jonas Berg',
      isCreated: false,
      lastError: 'ServiceNow is not available (503).',
      retryAt: '2026-11-20T14:00:30.000Z',
      status: null,
      statusSince: null,
    },
  },
  reasonClosedComment: { reasonClosedComment: 'Sensor cleaned.' },
  run: { run: 'Lot 7' },
  latchedCount: { latchedCount: 3 },
  clearedAt: { clearedAt: '2026-11-20T14:00:00.000Z' },
  automaticEmailSentAt: { automaticEmailSentAt: '2026-11-20T14:00:00.000Z' },
} satisfies Record<Extract<AlarmMessage, { action: 'update' }>['property'], Partial<ServiceEvent>>

it.each(Object.entries(told))('a live message about %s changes just that on the screen', (property, payload) => {
  const client = new QueryClient()
  client.setQueryData(serviceEventKeys.detailsOf('2'), shown)
  const message: unknown = { seq: 1, entity: 'alarm', action: 'update', property, payload: { ...head, ...payload } }
  applyToServiceEvents(message as LiveMessage, client)
  expect(client.getQueryData(serviceEventKeys.detailsOf('2'))).toEqual({ ...shown, ...payload, version: 6 })
})

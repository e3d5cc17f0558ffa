import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { alertStatuses, closeReasons, requestedAlertStatuses, roles } from '@benchwatch/contract/vocabulary'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalForEveryEvent } from './events.service.ts'
import { decideChange, type RequestedChange, type ServiceEventState } from './status.ts'

describe('impossible change', () => {
  const ME = 7
  const SOMEBODY = 8
  const STRANGER = 9
  /** An open event has none of these fields. */
  const noFields = { reasonClosed: null, reasonClosedComment: null, serviceMaxCaseNumber: null, serviceMaxUrl: null }

  /** Builds the request as the service does, including its lookup of the owner: unknown users cannot be assigned. */
  function asked(change: ServiceEventChange): Omit<RequestedChange, 'event' | 'isStale'> {
    const owner = Number(change.claimedBy)
    return {
      change,
      actor: { id: ME, role: 'service' },
      newOwner: owner === ME || owner === SOMEBODY ? owner : null,
      caseNumberPattern: /^\d{8}$/,
      caseUrlHosts: ['cases.benchwatch.example'],
    }
  }

  describe('a change that no event could take is refused before any event is looked at', () => {
    test.each<[string, ServiceEventChange, string]>([
      ['a close without reason', { alertStatus: 'CLOSED' }, 'bad-change'],
      ['a reason of the system', { alertStatus: 'CLOSED', reasonClosed: 'Customer unsubscribed' }, 'bad-change'],
      ['a case without number', { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created' }, 'bad-change'],
      [
        'a case number that is none',
        { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '12' },
        'bad-change',
      ],
      [
        'a link to another host',
        {
          alertStatus: 'CLOSED',
          reasonClosed: 'Service Case Created',
          serviceMaxCaseNumber: '00012345',
          serviceMaxUrl: 'https://elsewhere.example/1',
        },
        'bad-change',
      ],
      ['no owner', { claimedBy: null }, 'bad-change'],
      ['an owner that can’t be', { claimedBy: String(STRANGER) }, 'unknown-owner'],
      ['the system as owner', { claimedBy: 'SYSTEM' }, 'unknown-owner'],
      ['an owner and a close', { claimedBy: String(SOMEBODY), alertStatus: 'CLOSED' }, 'bad-change'],
      ['a reason without a close', { reasonClosed: 'Duplicate event' }, 'bad-change'],
    ])('%s', (_what, change, code) => {
      expect(refusalForEveryEvent(asked(change))).toMatchObject({ kind: 'refusal', code })
    })

    test.each<[string, ServiceEventChange]>([
      ['nothing', {}],
      ['oneself as owner', { claimedBy: String(ME) }],
      ['a colleague as owner', { claimedBy: String(SOMEBODY), alertStatus: 'IN_PROGRESS' }],
      ['a close with a reason', { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' }],
      ['a comment', { reasonClosedComment: 'Seen' }],
      ['another case number', { serviceMaxCaseNumber: '00012345' }],
      ['no link any more', { serviceMaxUrl: null }],
      // 409 depends on the status of the single event, so every event reports it.
      ['New, which no event becomes again', { alertStatus: 'NEW' }],
    ])('not %s', (_what, change) => {
      expect(refusalForEveryEvent(asked(change))).toBeNull()
    })

    test('it is never refused when there is an event that would be changed', () => {
      const text = (...texts: string[]) => fc.constantFrom(null, ...texts)
      const urls = text('https://cases.benchwatch.example/1', 'https://elsewhere.example/1')
      const changes = fc.record(
        {
          alertStatus: fc.constantFrom(...requestedAlertStatuses),
          claimedBy: text(String(ME), String(SOMEBODY), String(STRANGER), 'SYSTEM'),
          reasonClosed: text(...closeReasons) as fc.Arbitrary<ServiceEventState['reasonClosed']>,
          reasonClosedComment: text('', 'Seen'),
          serviceMaxCaseNumber: text('', '00012345', '12'),
          serviceMaxUrl: urls,
        },
        { requiredKeys: [] },
      )
      const events: fc.Arbitrary<ServiceEventState> = fc
        .record({
          alertStatus: fc.constantFrom(...alertStatuses),
          claimedBy: fc.constantFrom(null, 0, ME, SOMEBODY, STRANGER),
          reasonClosed: fc.constantFrom(...closeReasons),
          reasonClosedComment: text('Seen', 'Another'),
          serviceMaxCaseNumber: text('00012345', '00054321'),
          serviceMaxUrl: urls,
        })
        // Closed events have either a service case or a comment, never both.
        .map((event) => {
          if (event.alertStatus !== '3_CLOSED') return { ...event, ...noFields }
          if (event.reasonClosed === 'Service Case Created') return { ...event, reasonClosedComment: null }
          return { ...event, serviceMaxCaseNumber: null, serviceMaxUrl: null }
        })
      const check = fc.property(changes, events, fc.constantFrom(...roles), (change, event, role) => {
        const request = { ...asked(change), actor: { id: ME, role } }
        if (refusalForEveryEvent(request) === null) return
        expect(decideChange({ ...request, event, isStale: false }).kind).not.toBe('change')
      })
      fc.assert(check, { numRuns: 5000 })
    })
  })
})

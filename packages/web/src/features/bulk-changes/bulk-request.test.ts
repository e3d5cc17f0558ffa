import { changeServiceEvents } from '@benchwatch/contract/events/bulk-changes'
import { describe, expect, it } from 'vitest'
import { defaultEventSearch, type EventSearch } from '../events/events.search.ts'
import { narrowing } from '../events/list/event-list-request.ts'
import { bulkRequest, bulkTitle, failuresByReason, requestAgain, resultMessage } from './bulk-request.ts'

const noon = new Date(2026, 10, 20, 12).getTime()
const change = { claimedBy: '7' }
const narrowed = (search: Partial<EventSearch> = {}) => narrowing({ ...defaultEventSearch, ...search }, noon)

describe('the request of a bulk change', () => {
  it('names the selected events, and nothing of what narrows the list', () => {
    const selected = { mode: 'include', ids: ['3', '1'], narrowing: narrowed({ keyword: 'pump' }) } as const
    expect(bulkRequest(selected, change)).toEqual({ ids: ['3', '1'], mode: 'include', change })
  })

  it('takes along all that narrows the list where everything but some is selected', () => {
    const search = { keyword: ' pump ', quick: 'noAction', filter: { severity: ['high'] } } as const
    const list = narrowed({ ...search, filter: { severity: ['high'] } })
    const request = bulkRequest({ mode: 'exclude', ids: ['3'], narrowing: list }, change)
    expect(request).toEqual({
      ids: ['3'],
      mode: 'exclude',
      filter: { severity: ['high'] },
      start: list.query.start,
      stop: list.query.stop,
      keyword: 'pump',
      quick: 'noAction',
      change,
    })
    expect(changeServiceEvents.body.safeParse(request).success).toBe(true)
  })

  it.each(['noOwner', 'noAction', 'fullSupport', null] as const)(
    'the quick filter %s is the one of the list',
    (quick) => {
      const request = bulkRequest({ mode: 'exclude', ids: [], narrowing: narrowed({ quick }) }, change)
      expect(request.quick ?? null).toBe(quick)
    },
  )

  it('is repeated for those alone that failed', () => {
    const failed = [{ id: '4', eventId: '4', code: 'not-owner', ErrorBody: 'Take the event first.' }]
    const before = bulkRequest({ mode: 'exclude', ids: [], narrowing: narrowed() }, change)
    expect(requestAgain(failed, before)).toEqual({ ids: ['4'], mode: 'include', change })
  })
})

describe('bulk words', () => {
  describe('the words of a bulk change', () => {
    it('say how many events it is about', () => {
      expect(bulkTitle('close', 37)).toBe('Close 37 events')
      expect(bulkTitle('assign', 1)).toBe('Assign 1 event')
      expect(bulkTitle('take', 1284)).toBe('Assign 1,284 events to me')
    })

    it('say each reason once with its events, the most frequent first', () => {
      const failure = (id: string, ErrorBody: string) => ({ id, eventId: id, code: 'x', ErrorBody })
      const failed = [failure('1', 'closed'), failure('2', 'not yours'), failure('3', 'not yours')]
      expect(failuresByReason(failed).map(({ reason, events }) => [reason, events.map(({ id }) => id)])).toEqual([
        ['not yours', ['2', '3']],
        ['closed', ['1']],
      ])
    })

    it('say what became of them, and how many were so already', () => {
      const close = { kind: 'close', form: { reason: 'Duplicate event' }, owner: null } as const
      expect(resultMessage({ ...close, unchanged: 0 })).toBe('Status: Closed - Duplicate event.')
      expect(resultMessage({ ...close, unchanged: 2 })).toBe(
        'Status: Closed - Duplicate event. 2 events needed no change.',
      )
      const assign = { kind: 'assign', form: { reason: null }, owner: { name: 'Carl Lind' } } as const
      expect(resultMessage({ ...assign, unchanged: 0 })).toBe('Carl Lind is the owner.')
    })
  })
})

import { changeServiceEvents } from '@benchwatch/contract/bulk-changes'
import { describe, expect, it } from 'vitest'
import { narrowing } from '../service-events/event-list-request.ts'
import { defaultEventSearch, type EventSearch } from '../service-events/service-events.search.ts'
import { bulkRequest, requestAgain } from './bulk-request.ts'

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

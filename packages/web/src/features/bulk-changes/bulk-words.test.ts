import { describe, expect, it } from 'vitest'
import { bulkTitle, failuresByReason, whatWasDone } from './bulk-words.ts'

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
    expect(whatWasDone({ ...close, unchanged: 0 })).toBe('Status: Closed - Duplicate event.')
    expect(whatWasDone({ ...close, unchanged: 2 })).toBe('Status: Closed - Duplicate event. 2 events needed no change.')
    const assign = { kind: 'assign', form: { reason: null }, owner: { name: 'Carl Lind' } } as const
    expect(whatWasDone({ ...assign, unchanged: 0 })).toBe('Carl Lind is the owner.')
  })
})

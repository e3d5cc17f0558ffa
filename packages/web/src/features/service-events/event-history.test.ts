import type { HistoryEntry } from '@benchwatch/contract/event-details'
import { describe, expect, it } from 'vitest'
import { historyLines, historySentence } from './event-history.ts'

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
    [{ property: 'clearedAt', newValue: '2026-11-20T14:00:00.000Z' }, 'returned to normal'],
  ] as [Partial<HistoryEntry>, string][])('reads %o as a sentence', (changes, sentence) => {
    expect(historySentence(entry(changes))).toEqual({ words: sentence, quote: null })
  })

  it('quotes what somebody wrote', () => {
    expect(historySentence(entry({ property: 'reasonClosedComment', newValue: 'Seen.' }))).toEqual({
      words: 'wrote the comment',
      quote: 'Seen.',
    })
    expect(historySentence(entry({ action: 'shared', newValue: 'Jonas Berg', reason: 'Please look.' }))).toEqual({
      words: 'shared the event with Jonas Berg',
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

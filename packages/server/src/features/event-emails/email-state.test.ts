import { describe, expect, it } from 'vitest'
import { type CarryingMessage, stateOfMessage, stateOfSupportEmail } from './email-state.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const fresh: CarryingMessage = { messageId: 7, sentAt: null, failedAt: null, lastFailure: null }

describe('where a mail stands', () => {
  it.each<[string, Partial<CarryingMessage>, string, string | null]>([
    ['on its way for the first time', {}, 'waiting', null],
    ['tried in vain', { lastFailure: 'unreachable' }, 'waiting', 'The mail server could not be reached.'],
    ['put off', { lastFailure: 'deferred' }, 'waiting', 'The mail server asked to try again later.'],
    ['refused', { failedAt: NOW, lastFailure: 'refused' }, 'failed', 'The mail server refused it.'],
    ['given up untried', { failedAt: NOW }, 'failed', 'It could not be sent in time.'],
    ['gone', { sentAt: NOW }, 'sent', null],
    ['gone so long ago that its message is forgotten', { messageId: null }, 'sent', null],
  ])('%s', (_what, change, state, reason) => {
    expect(stateOfMessage({ ...fresh, ...change })).toEqual({ state, reason })
  })

  it('a support e-mail is held, withdrawn, or stands where its message does', () => {
    const written = { ...fresh, isHeld: false, withdrawnReason: null }
    expect(stateOfSupportEmail({ ...written, isHeld: true, messageId: null }).state).toBe('held')
    const withdrawn = stateOfSupportEmail({ ...written, messageId: null, withdrawnReason: 'Unsubscribed meanwhile.' })
    expect(withdrawn).toEqual({ state: 'withdrawn', reason: 'Unsubscribed meanwhile.' })
    expect(stateOfSupportEmail({ ...written, failedAt: NOW, lastFailure: 'refused' }).state).toBe('failed')
    // Sent is what the event itself notes; until then it is on its way.
    expect(stateOfSupportEmail({ ...written, sentAt: NOW }).state).toBe('waiting')
    expect(stateOfSupportEmail({ ...written, messageId: null }).state).toBe('waiting')
  })
})

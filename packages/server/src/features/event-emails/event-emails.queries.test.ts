import { expect, it } from 'vitest'
import { stateOfSupportEmail } from './event-emails.queries.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const fresh = { messageId: 7, sentAt: null, failedAt: null, lastFailure: null, lastError: null }

it('a support e-mail is held, withdrawn, or in the state of its message', () => {
  const written = { ...fresh, isHeld: false, withdrawnReason: null }
  expect(stateOfSupportEmail({ ...written, isHeld: true, messageId: null }).state).toBe('held')
  const withdrawn = stateOfSupportEmail({ ...written, messageId: null, withdrawnReason: 'Unsubscribed meanwhile.' })
  expect(withdrawn).toEqual({ state: 'withdrawn', reason: 'Unsubscribed meanwhile.' })
  expect(stateOfSupportEmail({ ...written, failedAt: NOW, lastFailure: 'refused' }).state).toBe('failed')
  // The event itself records that its e-mail was sent; until then it counts as waiting.
  expect(stateOfSupportEmail({ ...written, sentAt: NOW }).state).toBe('waiting')
  expect(stateOfSupportEmail({ ...written, messageId: null }).state).toBe('waiting')
})

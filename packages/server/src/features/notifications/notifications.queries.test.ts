import { expect, test } from 'vitest'
import { type Delivery, stateOf } from './notifications.queries.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const queued: Delivery = {
  channel: 'email',
  waitsFor: null,
  withdrawnReason: null,
  messageId: 7,
  sentAt: null,
  failedAt: null,
  lastFailure: null,
  lastError: null,
}

test.each<[string, Partial<Delivery>, string, string | null]>([
  ['on its way', {}, 'waiting', null],
  ['put off', { lastFailure: 'deferred', channel: 'sms' }, 'waiting', 'The SMS provider asked to try again later.'],
  ['held', { messageId: null, waitsFor: 'maintenance' }, 'held', 'Held until the maintenance of the instrument ends'],
  [
    'collected',
    { messageId: null, waitsFor: 'digest' },
    'collected',
    'Above the hourly limit; included in the next digest',
  ],
  ['withdrawn', { failedAt: NOW, withdrawnReason: 'May not see it.' }, 'withdrawn', 'May not see it.'],
])('%s', (_what, change, state, reason) => {
  expect(stateOf({ ...queued, ...change })).toEqual({ state, reason })
})

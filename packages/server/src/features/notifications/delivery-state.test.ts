import { expect, test } from 'vitest'
import { type Delivery, stateOf } from './delivery-state.ts'

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
  [
    'tried in vain',
    { lastFailure: 'unreachable', lastError: 'ECONNREFUSED' },
    'waiting',
    'The mail server could not be reached.',
  ],
  ['put off', { lastFailure: 'deferred', channel: 'sms' }, 'waiting', 'The SMS provider asked to try again later.'],
  [
    'refused',
    { failedAt: NOW, lastFailure: 'refused', lastError: '550 mx-7' },
    'failed',
    'The mail server refused it.',
  ],
  [
    'given up by us',
    { failedAt: NOW, lastError: 'It could not be sent in time.' },
    'failed',
    'It could not be sent in time.',
  ],
  ['left', { sentAt: NOW }, 'sent', null],
  ['left so long ago that its message is forgotten', { messageId: null }, 'sent', null],
  ['held', { messageId: null, waitsFor: 'maintenance' }, 'held', 'Held until the maintenance of the instrument ends'],
  [
    'collected',
    { messageId: null, waitsFor: 'digest' },
    'collected',
    'Above the limit of messages an hour; comes with the next digest',
  ],
  ['withdrawn', { failedAt: NOW, withdrawnReason: 'May not see it.' }, 'withdrawn', 'May not see it.'],
])('%s', (_what, change, state, reason) => {
  expect(stateOf({ ...queued, ...change })).toEqual({ state, reason })
})

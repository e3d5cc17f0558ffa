import { expect, test } from 'vitest'
import { type FollowedMessage, messageState } from './message-state.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const fresh: FollowedMessage = { messageId: 7, sentAt: null, failedAt: null, lastFailure: null, lastError: null }
const mistake = 'It could not be sent in time.'

test.each<[string, Partial<FollowedMessage>, string, string | null]>([
  ['on its way for the first time', {}, 'waiting', null],
  [
    'tried in vain',
    { lastFailure: 'unreachable', lastError: 'ECONNREFUSED' },
    'waiting',
    'The mail server could not be reached.',
  ],
  ['put off', { lastFailure: 'deferred' }, 'waiting', 'The mail server asked to try again later.'],
  [
    'refused',
    { failedAt: NOW, lastFailure: 'refused', lastError: '550 mx-7' },
    'failed',
    'The mail server refused it.',
  ],
  ['given up by us', { failedAt: NOW, lastError: mistake }, 'failed', mistake],
  ['left', { sentAt: NOW }, 'sent', null],
  ['left so long ago that its message is forgotten', { messageId: null }, 'sent', null],
])('%s', (_what, change, state, reason) => {
  expect(messageState({ ...fresh, ...change }, 'email')).toEqual({ state, reason })
})

test('a text message has another carrier', () => {
  expect(messageState({ ...fresh, lastFailure: 'deferred' }, 'sms').reason).toBe(
    'The SMS provider asked to try again later.',
  )
})

import { expect, it } from 'vitest'
import { signOutReason } from './sign-out-reason.ts'

const end = (idleSeconds: number) => ({ kind: 'expired' as const, idleSeconds })

it.each([
  [14_400, '4 hours'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [45, '45 seconds'],
])('a limit of %i s reads %s', (limit, words) => {
  expect(signOutReason(end(limit), limit).title).toBe(`You were signed out after ${words} without activity.`)
})

it('a session that the server ended earlier has expired', () => {
  expect(signOutReason(end(14_399), 14_400).title).toBe('Session expired')
  expect(signOutReason(end(99_999), undefined).title).toBe('Session expired')
})

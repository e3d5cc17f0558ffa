import { notificationsStore } from '@mantine/notifications'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { acceptSignIn, startSession, verifySession } from '../../lib/session/session.ts'
import { confirm } from './confirm.tsx'
import { showSuccess, showUndo } from './toasts.ts'

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ErrorBody: 'Expired', code: 'session-expired' }, { status: 401 }))
  await startSession()
})
afterEach(() => vi.unstubAllGlobals())

it('the end of the session answers an open question with no and removes the messages, and nothing is reported after it', async () => {
  const user = { userId: '7', userName: 'Anna', mail: 'a@benchwatch.example' }
  acceptSignIn({ accessToken: 'token', expiresIn: 900, user })
  const answered = confirm({ message: 'Delete the token?', confirmLabel: 'Delete' })
  showUndo({ title: 'Anna set as owner on event' }, () => undefined)
  await verifySession()
  expect(await answered).toBe(false)
  expect(notificationsStore.getState().notifications).toEqual([])
  showSuccess({ title: 'Event updated.' })
  showUndo({ title: 'Anna set as owner on event' }, () => undefined)
  expect(notificationsStore.getState().notifications).toEqual([])
})

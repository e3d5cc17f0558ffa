import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { UserActor } from '../../db/actor.ts'
import { setProfile } from '../../testing/notifying-fixture.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import {
  CONTACT,
  mailsOf,
  resetSupportEmails,
  type SupportEmailFixture,
  supportEmailFixture,
  supportEmailsOf,
  tell,
} from '../../testing/support-email-fixture.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { createEvent } from './event-creation.service.ts'

let fixture: SupportEmailFixture
let caller: UserActor

beforeAll(async () => {
  fixture = await supportEmailFixture()
  const id = await addSamplePerson(fixture.database, { login: 's@benchwatch.example', role: 'support' })
  caller = { type: 'user', id, name: 'Sara Support', role: 'support', scope: 'all', sessionId: '' }
})
beforeEach(() => resetSupportEmails(fixture))

const create = (over: object = {}) =>
  createEvent(fixture.notifying, {
    caller,
    form: {
      componentName: 'Pump B (P9-B)',
      description: 'Pressure above limit',
      userMessage: 'Look at the pump',
      severity: 'high',
      templateId: 'P9B-1042',
      alertType: 1,
      alertStatus: '1_NEW',
      alertSource: 'INSTRUMENT',
      alertId: 'by-hand',
      createdAt: TEST_NOW.toISOString(),
      instrumentInstalledProductId: 'IP-20431187',
      ...over,
    },
  })

it('users and the contact are notified once about an event created by hand, as about one from a gateway', async () => {
  const userId = await addSamplePerson(fixture.database, { login: 'anna@benchwatch.example' })
  await setProfile(fixture.database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true } })
  const event = await create({ createdAt: new Date(TEST_NOW.getTime() - 86_400_000).toISOString() })
  await tell(fixture)
  await create()
  await tell(fixture)
  const mails = await mailsOf(fixture)
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(['anna@benchwatch.example', CONTACT].sort())
  expect(mails.map(({ subject }) => subject)).toContain(`ORC-${event.id} · HIGH · Pressure above limit`)
  expect(await supportEmailsOf(fixture)).toHaveLength(1)
})

it('a user who becomes owner of an event by hand is notified', async () => {
  const userId = await addSamplePerson(fixture.database, { login: 'jonas@benchwatch.example' })
  await setProfile(fixture.database, { userId, kind: 'assign_me_notification', settings: { notifyEmail: true } })
  await create({ componentName: 'Pump C (P9-C)', alertStatus: '2_IN_PROGRESS', claimedBy: String(userId) })
  await tell(fixture)
  expect((await mailsOf(fixture)).map(({ recipient }) => recipient)).toContain('jonas@benchwatch.example')
})

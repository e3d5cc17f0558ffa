import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { UserActor } from '../../db/actor.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import {
  CONTACT,
  mailsOf,
  resetSupportEmails,
  type SupportEmailWorld,
  supportEmailsOf,
  supportEmailWorld,
  tell,
} from '../../testing/support-email-world.ts'
import { setProfile } from '../../testing/telling-world.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { createEvent } from './event-creation.service.ts'

let world: SupportEmailWorld
let caller: UserActor

beforeAll(async () => {
  world = await supportEmailWorld()
  const id = await addSamplePerson(world.database, { login: 's@benchwatch.example', role: 'support' })
  caller = { type: 'user', id, name: 'Sara Support', role: 'support', scope: 'all', sessionId: '' }
})
beforeEach(() => resetSupportEmails(world))

const create = (over: object = {}) =>
  createEvent(world.telling, {
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

it('users and the contact are told of an event made by hand as of one from a gateway, once', async () => {
  const userId = await addSamplePerson(world.database, { login: 'anna@benchwatch.example' })
  await setProfile(world.database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true } })
  const event = await create({ createdAt: new Date(TEST_NOW.getTime() - 86_400_000).toISOString() })
  await tell(world)
  await create()
  await tell(world)
  const mails = await mailsOf(world)
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(['anna@benchwatch.example', CONTACT].sort())
  expect(mails.map(({ subject }) => subject)).toContain(`ORC-${event.id} · HIGH · Pressure above limit`)
  expect(await supportEmailsOf(world)).toHaveLength(1)
})

it('who is given an event by hand is told so', async () => {
  const userId = await addSamplePerson(world.database, { login: 'jonas@benchwatch.example' })
  await setProfile(world.database, { userId, kind: 'assign_me_notification', settings: { notifyEmail: true } })
  await create({ componentName: 'Pump C (P9-C)', alertStatus: '2_IN_PROGRESS', claimedBy: String(userId) })
  await tell(world)
  expect((await mailsOf(world)).map(({ recipient }) => recipient)).toContain('jonas@benchwatch.example')
})

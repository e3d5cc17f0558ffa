import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { notifyingOn } from '../../testing/notifying-fixture.ts'
import {
  CONTACT,
  courseOf,
  eventOf,
  leave,
  mailsOf,
  maintain,
  raiseEvents,
  resetSupportEmails,
  runTasks,
  type SupportEmailFixture,
  setTemplate,
  supportEmailFixture,
  supportEmailsOf,
  tell,
  unsubscribe,
} from '../../testing/support-email-fixture.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { deleteEvents } from '../deletions/deletions.service.ts'

const MINUTE = 60_000
const after = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE)

let fixture: SupportEmailFixture
beforeAll(async () => {
  fixture = await supportEmailFixture()
})
beforeEach(() => resetSupportEmails(fixture))

const raise = (over: Parameters<typeof raiseEvents>[1] = {}) => raiseEvents(fixture, over)
const subjects = async () => (await mailsOf(fixture)).map(({ subject }) => subject)
const held = async () => (await supportEmailsOf(fixture)).filter(({ is_held }) => is_held).length
const statusOf = async (id: number) => (await eventOf(fixture, id)).alert_status
const query = (sql: string, values: unknown[] = []) => fixture.database.pool.query(sql, values)

describe('during maintenance of its instrument', () => {
  it('an e-mail is held, and is sent as a separate e-mail when the window ends', async () => {
    await maintain(fixture, { start: after(-5), end: after(30) })
    const [id = 0] = await raise()
    await tell(fixture)
    await runTasks(fixture)
    expect(await subjects()).toEqual([])
    expect(await held()).toBe(1)
    fixture.notifying.clock.set(after(30))
    await runTasks(fixture)
    expect(await subjects()).toEqual(['ÄKTA pilot 600: Pressure limit exceeded'])
    expect((await mailsOf(fixture))[0]?.headers).toHaveProperty('List-Unsubscribe')
    await leave(fixture)
    expect(await statusOf(id)).toBe(3)
  })

  it('several leave as one list, each with its texts and a link of its own, and close their events', async () => {
    await maintain(fixture, { start: after(-5), end: null })
    const ids = [
      ...(await raise({ description: 'First <b>fault</b>' })),
      ...(await raise({ description: 'Second fault' })),
      ...(await raise({ description: 'Third fault' })),
    ]
    await tell(fixture)
    await query('UPDATE maintenance_window SET end_at = $1', [after(10)])
    fixture.notifying.clock.set(after(10))
    await Promise.all([
      runTasks(fixture),
      runTasks({ ...fixture, notifying: { ...notifyingOn(fixture.database), clock: fixture.notifying.clock } }),
    ])
    const [mail, ...more] = await mailsOf(fixture)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject: '3 messages about ÄKTA pilot 600 (IP-20431187)', headers: {} })
    for (const description of ['First <b>fault</b>', 'Second fault', 'Third fault']) {
      expect(mail?.text).toContain(`Dear Maria Öberg, ${description}`)
    }
    expect(mail?.html).toContain('First &lt;b&gt;fault&lt;/b&gt;')
    const tokens = [...(mail?.text ?? '').matchAll(/unsubscribe\?token=([\w-]{43})\n/g)].map(([, token]) => token)
    expect(new Set(tokens).size).toBe(3)
    await leave(fixture)
    expect(await Promise.all(ids.map(statusOf))).toEqual([3, 3, 3])
  })

  it('a list that waits for the mail server is sent all the same when one of its events is deleted', async () => {
    const [gone = 0, kept = 0] = await raise({ count: 2, duringMaintenance: true })
    await tell(fixture)
    await runTasks(fixture)
    expect(await subjects()).toEqual(['2 messages about ÄKTA pilot 600 (IP-20431187)'])
    await inTransaction(fixture.database.db, (trx) =>
      deleteEvents(trx, { ids: [gone], scope: 'all', actor: { type: 'system' }, at: TEST_NOW }),
    )
    const [mail] = await mailsOf(fixture)
    expect(await courseOf(fixture).refusal(fixture.database.db, mail?.id ?? 0)).toBeNull()
    await leave(fixture)
    expect(await statusOf(kept)).toBe(3)
  })

  it('that is over by the time an event is delivered, e-mails are held as well, and sent at once', async () => {
    await raise({ count: 2, duringMaintenance: true })
    await tell(fixture)
    expect(await subjects()).toEqual([])
    await runTasks(fixture)
    expect(await subjects()).toEqual(['2 messages about ÄKTA pilot 600 (IP-20431187)'])
  })

  it('a contact who unsubscribes meanwhile gets none, and the event is closed when the window ends', async () => {
    await setTemplate(fixture, { closes_event: false })
    await maintain(fixture, { start: after(-5), end: after(30) })
    const [id = 0] = await raise()
    await tell(fixture)
    await unsubscribe(fixture)
    fixture.notifying.clock.set(after(31))
    await runTasks(fixture)
    expect(await subjects()).toEqual([])
    expect(await eventOf(fixture, id)).toMatchObject({ alert_status: 3, claimed_by: 0, reason_closed: 6 })
  })

  it('an event that people closed meanwhile is not mailed about; a new contact is', async () => {
    await maintain(fixture, { start: after(-5), end: after(30) })
    const [closed = 0] = await raise()
    await raise()
    await tell(fixture)
    await query('UPDATE service_event SET alert_status = 3, claimed_by = 0, reason_closed = 1 WHERE id = $1', [closed])
    await query("UPDATE contact SET key = 'new@helixbio.example'")
    fixture.notifying.clock.set(after(31))
    await runTasks(fixture)
    expect((await mailsOf(fixture)).map(({ recipient }) => recipient)).toEqual(['new@helixbio.example'])
    expect((await supportEmailsOf(fixture))[0]?.withdrawn_reason).toContain('was closed')
  })

  it('e-mails about other instruments are sent', async () => {
    await maintain(fixture, { start: after(-5), end: null })
    await raise()
    await raise({ instrumentId: fixture.fleet.instruments.second })
    await tell(fixture)
    expect(await subjects()).toHaveLength(1)
  })

  it('that begins while an e-mail waits for the mail server, the e-mail is held after all', async () => {
    await raise()
    await tell(fixture)
    await maintain(fixture, { start: after(-5), end: after(30) })
    const [mail] = await mailsOf(fixture)
    expect(await courseOf(fixture).refusal(fixture.database.db, mail?.id ?? 0)).not.toBeNull()
    expect(await held()).toBe(1)
    // Done by the sender when a message is refused.
    await query('UPDATE outbound_message SET failed_at = $1', [TEST_NOW])
    fixture.notifying.clock.set(after(31))
    await runTasks(fixture)
    expect(await subjects()).toHaveLength(2)
    expect(await held()).toBe(0)
  })
})

describe('above the limit of mails to one contact within an hour', () => {
  const limited = (limit: string) => {
    fixture.notifying = notifyingOn(fixture.database, { SUPPORT_EMAILS_PER_CONTACT_PER_HOUR: limit })
  }

  it('e-mails wait, and are sent as one list when the limit allows', async () => {
    limited('3')
    await raise({ count: 8 })
    await tell(fixture)
    expect(await subjects()).toHaveLength(3)
    expect(await held()).toBe(5)
    fixture.notifying.clock.set(after(59))
    await runTasks(fixture)
    expect(await subjects()).toHaveLength(3)
    fixture.notifying.clock.set(after(61))
    await runTasks(fixture)
    expect((await subjects()).slice(3)).toEqual(['5 messages about ÄKTA pilot 600 (IP-20431187)'])
    expect(await held()).toBe(0)
  })

  it('later ones wait behind those that wait already, of all instruments of the contact', async () => {
    limited('1')
    await raise({ count: 2 })
    await tell(fixture)
    fixture.notifying.clock.set(after(61))
    await raise({ instrumentId: fixture.fleet.instruments.second })
    await tell(fixture)
    expect(await subjects()).toHaveLength(1)
    await runTasks(fixture)
    expect((await subjects()).slice(1)).toEqual(['2 messages about your instruments'])
  })

  it('of 40 that waited, one mail lists 30; the others follow as the hour allows', async () => {
    limited('2')
    await raise({ count: 42 })
    await tell(fixture)
    fixture.notifying.clock.set(after(61))
    await runTasks(fixture)
    await runTasks(fixture)
    expect((await subjects()).slice(2)).toEqual([
      '30 messages about ÄKTA pilot 600 (IP-20431187)',
      '10 messages about ÄKTA pilot 600 (IP-20431187)',
    ])
  })

  it('0 is no limit', async () => {
    limited('0')
    await raise({ count: 25 })
    await tell(fixture)
    expect(await subjects()).toHaveLength(25)
  })

  it('every mail goes to the contact alone', async () => {
    await raise({ count: 3 })
    await tell(fixture)
    expect(new Set((await mailsOf(fixture)).map(({ recipient }) => recipient))).toEqual(new Set([CONTACT]))
  })
})

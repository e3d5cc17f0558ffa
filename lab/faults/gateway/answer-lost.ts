import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { Profile } from '@benchwatch/contract/messages/profiles'
import { buildConsole } from '../../product/browser.ts'
import { withClient } from '../../product/database.ts'
import { EventScreen, openConsoles, SETTLED_WITHIN_MS } from '../consoles/event-screen.ts'
import { openFixture } from '../load/fixture.ts'
import { SimulatedGateway } from '../load/gateway-load.ts'
import { countWaiting } from '../messages/mail-comparison.ts'
import { MailSink } from '../messages/mail-sink.ts'
import { addNotifiedPeople, allBy, PASSWORD } from '../messages/notified-people.ts'
import { jsonOf } from '../product/http-client.ts'
import { TimingOutProxy } from '../proxies/timing-out-proxy.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * A proxy between consoles and the server answers 504 although the change was made, for the first request or for its
 * retry as well. The console retries once, and there is one change, one entry in the history, one mail, and the right
 * state on screen.
 */
await runFault({
  name: 'answer-lost',
  parameters: { events: 10 },
  async run({ workplace, verdict, parameters: { events } }) {
    buildConsole()
    const sink = await MailSink.start(workplace)
    const fixture = await openFixture(workplace, {
      gateways: 1,
      env: {
        SMTP_URL: sink.url,
        NOTIFICATION_MAILS_PER_HOUR: '0',
        ACCESS_TOKEN_MINUTES: '60',
        GATEWAY_SILENCE_SECONDS: '0',
      },
    })
    const { product, client, fleet, ledger, databaseUrl } = fixture
    const [bo] = await addNotifiedPeople(fixture, [{ login: 'bo@benchwatch.example' }])
    const [registered] = fleet.gateways
    if (!bo || !registered) throw new Error('A person and a gateway are needed.')
    await tellOfAssignmentsAlone(bo.token)
    const gateway = new SimulatedGateway(registered, { client, ledger })
    gateway.push(...Array.from({ length: events }, () => gateway.items.alarm()))
    while (gateway.waiting > 0) await pause(20)
    await gateway.stop()
    const get = async <T>(path: string) => jsonOf<T>(await client.send({ method: 'GET', path, token: bo.token }))
    const { values } = jsonOf<{ values: { alarm: ServiceEvent }[] }>(
      await client.send({
        method: 'POST',
        path: `/api/alarms?limit=${Math.min(100, events)}`,
        token: bo.token,
        body: '{"filter":{}}',
      }),
    )
    const { name } = await get<{ name: string }>('/api/users/me')

    const proxy = await TimingOutProxy.before(workplace, product.url)
    const browser = await openConsoles(workplace)
    const anna = await EventScreen.open(browser, { at: proxy.url, person: fleet.administrator })
    const bos = await EventScreen.open(browser, { at: proxy.url, person: { userId: bo.login, password: PASSWORD } })
    const wrong = { picture: [] as string[], history: [] as string[], sent: [] as string[] }
    for (const [at, { alarm }] of values.entries()) {
      // Lose the answer only, or that of the retry as well.
      const lost = at % 2 === 0 ? 1 : 2
      proxy.passed.length = 0
      await anna.show(alarm.eventId)
      proxy.toLose = lost
      await anna.assign(name)
      await anna.waitForToast(at)
      if (!(await isShown(anna, { owner: name })))
        wrong.picture.push(`${alarm.eventId}: ${JSON.stringify(await anna.state())}`)
      await bos.show(alarm.eventId)
      proxy.toLose = lost
      await bos.close()
      await bos.waitForToast(at)
      if (!(await isShown(bos, { owner: 'Me', status: 'Closed' }))) {
        wrong.picture.push(`${alarm.eventId}: ${JSON.stringify(await bos.state())}`)
      }
      const sent = proxy.passed.map(({ status, isLost }) => `${status}${isLost ? ' lost' : ''}`).join()
      if (sent !== (lost === 1 ? '200 lost,200,200 lost,200' : '200 lost,200 lost,200 lost,200 lost')) {
        wrong.sent.push(`${alarm.eventId}: ${sent}`)
      }
      const { values: history } = await get<{ values: { property: string | null; newValue: string | null }[] }>(
        `/api/alarms/${alarm.id}/history`,
      )
      const changes = history.map(({ property }) => property)
      const once = (property: string, times: number) => changes.filter((one) => one === property).length === times
      const { version } = await get<ServiceEvent>(`/api/alarms/${alarm.id}`)
      // It was assigned, which put it in progress, and closed.
      if (!once('claimedBy', 1) || !once('alertStatus', 2) || version !== alarm.version + 2) {
        wrong.history.push(`${alarm.eventId}: version ${alarm.version} to ${version}, ${changes.join()}`)
      }
    }
    const until = Date.now() + 60_000
    while ((await withClient(databaseUrl(), countWaiting)) > 0 && Date.now() < until) await pause(500)
    const mailsOf = ({ eventId }: ServiceEvent) =>
      sink.taken.filter(({ subject }) => subject.includes(`ORC-${eventId}`)).length

    verdict.figure('changes', 2 * events)
    for (const [what, found] of Object.entries({
      'screens that did not show the change': wrong.picture,
      'changes that were not sent exactly twice': wrong.sent,
      'events whose history does not hold each change once': wrong.history,
      'events that were not mailed about once': values
        .filter(({ alarm }) => mailsOf(alarm) !== 1)
        .map(({ alarm }) => `${alarm.eventId}: ${mailsOf(alarm)}`),
      'toasts of failure': [...anna.toasts, ...bos.toasts].filter((words) =>
        /could not|not known|not changed/i.test(words),
      ),
    })) {
      verdict.atMost(what, { figure: found.length, most: 0 })
      for (const one of found.slice(0, 5)) console.log(`  ${what}: ${one}`)
    }
    verdict.memory(product.peakRss)

    /** Switches off e-mails about new events for the user of this token. */
    async function tellOfAssignmentsAlone(token: string): Promise<void> {
      const profiles = jsonOf<Profile[]>(await client.send({ method: 'GET', path: '/api/profiles', token }))
      for (const profile of profiles) {
        if (profile.profileType === 'email') continue
        const body = JSON.stringify(allBy(profile.profileType === 'assign_me_notification' ? 'email' : 'nothing'))
        jsonOf(await client.send({ method: 'PUT', path: `/api/profiles/${profile.id}`, token, body }))
      }
    }
  },
})

async function isShown(screen: EventScreen, wanted: { owner: string; status?: string }): Promise<boolean> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await pause(100)) {
    const state = await screen.state()
    if (state?.owner === wanted.owner && state.status.startsWith(wanted.status ?? '')) return true
  }
  return false
}

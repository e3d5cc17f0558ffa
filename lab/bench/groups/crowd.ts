import { setTimeout as pause } from 'node:timers/promises'
import { signedIn } from '../../product/api-client.ts'
import { LiveClient } from '../../product/live-client.ts'
import { type Fixture, reportTimes } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { goals } from '../goals.ts'
import { askList, rangeOf } from '../searches.ts'

const USERS = 20
const EVERY_MS = 1000
/** Rounds before those that count: until each connection of the server has kept its plans. */
const WARM_UPS = 10
/** An instrument reports an alarm this long after the message about the one before. */
const ALARM_MS = 100
const group = 'crowd'

/**
 * Measures twenty signed-in users who all open their default view at the same moment, once each second, and the live
 * messages about new events meanwhile. The floor is one user who does so alone.
 */
export async function measureCrowd(fixture: Fixture): Promise<void> {
  const { data, product, sampling } = fixture
  const logins = [data.logins.all, data.logins.sixty, data.logins.one]
  const users = await Promise.all(
    Array.from({ length: USERS }, (_, user) =>
      signedIn(product.baseUrl, { login: logins[user % logins.length] ?? '', password: data.password }),
    ),
  )
  const rounds = Math.min(sampling.samples, sampling.seconds)
  const open = async (count: number) => {
    const times: number[] = []
    for (let round = -WARM_UPS; round < rounds; round += 1) {
      const next = pause(EVERY_MS)
      const asked = performance.now()
      await Promise.all(
        users.slice(0, count).map(async (user) => {
          await askList(user, { range: rangeOf('7 days') })
          if (round >= 0) times.push(performance.now() - asked)
        }),
      )
      await next
    }
    return times
  }
  const alone = await open(1)
  const quiet = await liveTimes(fixture, open(0))
  const crowd = open(USERS)
  const live = await liveTimes(fixture, crowd)
  reportTimes(fixture, {
    ...{ group, name: `default views of ${USERS} users, all at once each second`, times: await crowd },
    ...{ goal: goals.crowd, floor: { how: 'one user alone', times: alone } },
  })
  reportTimes(fixture, {
    ...{ group, name: 'ingest → message on a screen meanwhile', times: live },
    ...{ goal: goals.live, floor: { how: 'without users', times: quiet } },
  })
  for (const user of users) user.close()
}

/** Returns the times from sending an alarm to the message about it, one after the other until `until` has settled. */
async function liveTimes({ admin, data, product }: Fixture, until: Promise<unknown>): Promise<number[]> {
  const screen = await LiveClient.open(admin)
  const senders = data.gateways.slice(0, 20).map((gateway) => new GatewaySender(product.baseUrl, gateway))
  const times: number[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const sender = senders[times.length % senders.length]
    if (!sender) throw new Error('There is no gateway.')
    const sent = performance.now()
    const arrived = screen.arrival(({ entity, action }) => entity === 'alarm' && action === 'create')
    await Promise.all([arrived, sender.send(sender.alarms(1))])
    times.push((await arrived) - sent)
    await pause(ALARM_MS)
  }
  for (const sender of senders) sender.close()
  screen.close()
  return times
}

import { connectBeside } from '../../product/database.ts'
import { LiveClient } from '../../product/live-client.ts'
import { claimFor, type Fixture, measureTimes, takeNewEvents } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { goals } from '../goals.ts'

/** Measures the time from a user's click, or an instrument's alarm, to the message on another user's screen. */
export async function measureLive(fixture: Fixture): Promise<void> {
  const screen = await LiveClient.open(fixture.admin)
  const bell = await openBell(fixture)
  const events = await takeNewEvents(fixture.sql, fixture.sampling.samples + 20)
  const sampling = { ...fixture.sampling, samples: Math.min(fixture.sampling.samples, events.length - 12) }
  const change = await claimFor(fixture.sql, fixture.data.logins.all)
  const claim = async (index: number) => {
    const event = events[index]
    const arrived = screen.arrival(
      ({ entity, action, payload }) =>
        entity === 'alarm' && action === 'update' && 'id' in payload && payload.id === String(event),
    )
    await Promise.all([arrived, fixture.clients.all.call('PUT', `/api/alarms/${event}`, change)])
  }
  const gateways = fixture.data.gateways
    .slice(0, 20)
    .map((gateway) => new GatewaySender(fixture.product.baseUrl, gateway))
  const raise = async (index: number) => {
    const sender = gateways[index % gateways.length]
    if (!sender) throw new Error('There is no gateway.')
    // Nothing else sends, so the next new event is this one.
    const arrived = screen.arrival(({ entity, action }) => entity === 'alarm' && action === 'create')
    await Promise.all([arrived, sender.send(sender.alarms(1))])
  }
  for (const { name, work, options } of [
    { name: 'claim → message on another screen', work: claim, options: sampling },
    { name: 'ingest → message that "N new" counts', work: raise, options: fixture.sampling },
  ]) {
    await measureTimes(
      { ...fixture, sampling: options },
      {
        ...{ group: 'live', name, ask: work, goal: goals.live },
        floor: { how: 'NOTIFY to LISTEN on another connection', ask: bell.ring },
      },
    )
  }
  for (const sender of gateways) sender.close()
  screen.close()
  await bell.close()
}

async function openBell({
  sql,
  product,
}: Fixture): Promise<{ ring(index: number): Promise<void>; close(): Promise<void> }> {
  const listener = await connectBeside(product.dataDir)
  await listener.query('LISTEN bench_bell')
  return {
    async ring(index) {
      const heard = new Promise<void>((resolve) => {
        listener.once('notification', () => resolve())
      })
      await sql.query(`NOTIFY bench_bell, '${index}'`)
      await heard
    },
    close: () => listener.end(),
  }
}

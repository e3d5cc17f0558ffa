import { MqttLaboratory, numbersFrom } from '../mqtt/mqtt-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

/** An instrument raises 10,000 alarms within a minute, and all end. They become few events that count all of them. */
await runFault({
  name: 'mqtt-storm',
  parameters: { alarms: 10_000, batch: 1000, perMinute: 60 },
  async run({ workplace, verdict, parameters: { alarms, batch, perMinute } }) {
    const laboratory = await MqttLaboratory.open(workplace, verdict, { alarmsPerMinute: perMinute })
    if (!laboratory) return
    const began = Date.now()
    const all = [0, ...numbersFrom(1, alarms)]
    for (let at = 1; at < all.length; at += batch) await laboratory.publish(all.slice(at, at + batch))
    verdict.figure('published within s', (Date.now() - began) / 1000)
    const counted = (events: { latchedCount: number }[]) =>
      events.reduce((sum, { latchedCount }) => sum + 1 + latchedCount, 0)
    await laboratory.until((events) => counted(events) >= all.length)
    for (let at = 0; at < all.length; at += batch)
      await laboratory.publish(all.slice(at, at + batch), { isActive: false })
    const ms = await laboratory.until((events) => events.every(({ isCleared }) => isCleared))
    const events = await laboratory.events()
    verdict.atMost('events', { figure: events.length, most: 2 * perMinute + 2 })
    verdict.check('alarms that they count', {
      figure: counted(events),
      goal: String(all.length),
      passed: counted(events) === all.length,
    })
    verdict.figure('all returned to normal after s', ms / 1000)
    verdict.figure('peak RSS of the gateway MB', laboratory.gateway.peakRss / 1e6)
    verdict.memory(laboratory.product.peakRss)
  },
})

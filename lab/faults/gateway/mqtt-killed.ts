import { setTimeout as pause } from 'node:timers/promises'
import { MqttLaboratory, numbersFrom } from '../mqtt/mqtt-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * The broker, the gateway, or both are killed while alarms are published, so that some die between a publication and its
 * acknowledgement. Every alarm that the broker confirmed makes one event.
 */
await runFault({
  name: 'mqtt-killed',
  parameters: { kills: 9, batch: 20 },
  async run({ workplace, verdict, parameters: { kills, batch } }) {
    const laboratory = await MqttLaboratory.open(workplace, verdict)
    if (!laboratory) return
    let next = 1
    let isPublishing = true
    const publishing = (async () => {
      while (isPublishing) {
        await laboratory.publish(numbersFrom(next, batch))
        next += batch
      }
    })()
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(1000 + Math.random() * 2000)
      const isBroker = kill % 3 !== 1
      const isGateway = kill % 3 !== 2
      const unsaved = isBroker ? await laboratory.killBroker() : []
      if (isGateway) await laboratory.gateway.kill()
      await pause(Math.random() * 1000)
      if (isBroker) await laboratory.startBroker()
      if (isGateway) await laboratory.gateway.start('reports to')
      if (unsaved.length > 0) await laboratory.publish(unsaved)
      const killed = [isBroker && 'broker', isGateway && 'gateway'].filter(Boolean).join(' and ')
      console.log(`kill ${kill}: ${killed}, at about alarm ${next}`)
    }
    isPublishing = false
    await publishing
    const count = laboratory.confirmed.length
    // A broker that died keeps its messages for the gateway until that has connected again, within 5 s.
    const ms = await laboratory.until((events) => new Set(events.map(({ number }) => number)).size >= count)
    verdict.figure('until all were stored ms', ms)
    laboratory.judge(verdict, await laboratory.events())
  },
})

import { setTimeout as pause } from 'node:timers/promises'
import { MqttLaboratory, numbersFrom } from '../mqtt/mqtt-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * The server is away while a source reports as much as an instrument does in three days, and the gateway is killed
 * meanwhile. When the server is back, every alarm is there once and has returned to normal.
 */
await runFault({
  name: 'mqtt-offline-72h',
  parameters: { alarms: 9000, batch: 300 },
  async run({ workplace, verdict, parameters: { alarms, batch } }) {
    const laboratory = await MqttLaboratory.open(workplace, verdict)
    if (!laboratory) return
    await laboratory.product.terminate()
    for (let first = 1; first <= alarms; first += batch) {
      const numbers = numbersFrom(first, batch)
      await laboratory.publish(numbers)
      await laboratory.publish(numbers, { isActive: false })
      if (first > alarms / 2 && first <= alarms / 2 + batch) {
        await laboratory.gateway.kill()
        await laboratory.gateway.start('reports to')
      }
    }
    await laboratory.publish([0], { isActive: false })
    await pause(1000)
    laboratory.product.launch()
    await laboratory.product.ready()
    const ms = await laboratory.until(
      (events) => events.length >= laboratory.confirmed.length && events.every(({ isCleared }) => isCleared),
    )
    verdict.figure('items', 2 * laboratory.confirmed.length)
    verdict.figure('until all were stored and cleared s', ms / 1000)
    laboratory.judge(verdict, await laboratory.events())
  },
})

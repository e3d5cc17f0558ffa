import { setTimeout as pause } from 'node:timers/promises'
import { MqttLaboratory, numbersFrom } from '../mqtt/mqtt-laboratory.ts'
import { SmallDisk } from '../product/small-disk.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * The disk of a gateway fills up. It acknowledges nothing that it could not write, so the broker keeps the messages, and
 * goes on by itself when there is space again.
 */
await runFault({
  name: 'gateway-disk-full',
  parameters: { megabytes: 30, full: 15, alarms: 1000, batch: 50 },
  async run({ workplace, verdict, parameters: { megabytes, full, alarms, batch } }) {
    const disk = SmallDisk.mount(workplace, megabytes)
    if (!disk) return verdict.figure('skipped', 'this user may not mount a file system; run it as root')
    const laboratory = await MqttLaboratory.open(workplace, verdict, { outbox: `${disk.folder}/outbox` })
    if (!laboratory) return
    disk.fill(0)
    const until = Date.now() + full * 1000
    for (let first = 1; first <= alarms; first += batch) {
      await laboratory.publish(numbersFrom(first, batch))
      await pause(Math.max(0, until - Date.now()) / (1 + (alarms - first) / batch))
    }
    verdict.figure('stored while full', (await laboratory.events()).length - 1)
    disk.relieve()
    const count = laboratory.confirmed.length
    const ms = await laboratory.until((events) => events.length >= count)
    verdict.atMost('all stored after space returned', { figure: ms / 1000, most: 30, unit: 's' })
    laboratory.judge(verdict, await laboratory.events())
  },
})

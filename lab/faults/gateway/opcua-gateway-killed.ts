import { setTimeout as pause } from 'node:timers/promises'
import { openOpcUaLaboratory } from '../opcua/opcua-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

/** A gateway with an OPC UA source is killed while a condition is active. The condition ends before it is back, or lasts. */
await runFault({
  name: 'opcua-gateway-killed',
  parameters: { kills: 6 },
  async run({ workplace, verdict, parameters: { kills } }) {
    const { server, gateway, events, until, product } = await openOpcUaLaboratory(workplace)
    await server.start(0.5)
    await gateway.start('reports to')
    const clearedMs: number[] = []
    const startMs: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      server.setLevel(0.95)
      // Sometimes killed between the event of the server and the report, sometimes after it.
      if (kill % 2 === 0) await until((all) => all.some(({ isCleared }) => !isCleared), Date.now())
      else await pause(Math.random() * 1_000)
      await gateway.kill()
      if (kill % 3 === 0) {
        await gateway.start('reports to')
        await pause(8_000)
        await gateway.kill()
      }
      server.setLevel(0.5)
      await pause(Math.random() * 2_000)
      const startedAt = Date.now()
      await gateway.start('reports to')
      startMs.push(Date.now() - startedAt)
      clearedMs.push(await until((all) => all.every(({ isCleared }) => isCleared), Date.now()))
      console.log(`kill ${kill}: nothing open ${clearedMs.at(-1)} ms after the gateway was back`)
      // Connected before the next condition.
      server.setLevel(0.95)
      await until((all) => all.some(({ isCleared }) => !isCleared), Date.now())
      server.setLevel(0.5)
      await until((all) => all.every(({ isCleared }) => isCleared), Date.now())
    }
    const found = await events()
    verdict.atMost('returned to normal, slowest', { figure: Math.max(...clearedMs), most: 10_000, unit: 'ms' })
    verdict.atMost('events', { figure: found.length, most: 2 * kills })
    verdict.atMost('raised twice', { figure: found.filter(({ latchedCount }) => latchedCount > 0).length, most: 0 })
    verdict.figure('slowest start of the gateway ms', Math.max(...startMs))
    verdict.figure('peak RSS of the gateway MB', gateway.peakRss / 1e6)
    verdict.memory(product.peakRss)
  },
})

import { setTimeout as pause } from 'node:timers/promises'
import { openOpcUaLaboratory } from '../opcua/opcua-laboratory.ts'
import { runFault } from '../script/fault-script.ts'

/** An OPC UA server is killed while a condition is active. The condition ends before the server is back, or lasts. */
await runFault({
  name: 'opcua-server-killed',
  parameters: { kills: 6 },
  async run({ workplace, verdict, parameters: { kills } }) {
    const { server, gateway, events, until, product } = await openOpcUaLaboratory(workplace)
    await server.start(0.5)
    await gateway.start('reports to')
    const clearedMs: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      server.setLevel(0.95)
      await until((all) => all.filter(({ isCleared }) => !isCleared).length === 1, Date.now())
      await server.kill()
      await pause(1_000 + Math.random() * 3_000)
      if (kill % 3 === 0) {
        await server.start(0.95)
        await pause(8_000)
        await server.kill()
      }
      await server.start(0.5)
      clearedMs.push(await until((all) => all.every(({ isCleared }) => isCleared), Date.now()))
      console.log(`kill ${kill}: returned to normal ${clearedMs.at(-1)} ms after the server was back`)
    }
    const found = await events()
    verdict.atMost('returned to normal, slowest', { figure: Math.max(...clearedMs), most: 10_000, unit: 'ms' })
    verdict.check('events', { figure: found.length, goal: String(kills), passed: found.length === kills })
    verdict.atMost('raised twice', { figure: found.filter(({ latchedCount }) => latchedCount > 0).length, most: 0 })
    verdict.figure('peak RSS of the gateway MB', gateway.peakRss / 1e6)
    verdict.memory(product.peakRss)
  },
})

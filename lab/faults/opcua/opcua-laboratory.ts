import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { opcUaServer } from '../../opcua-server.ts'
import { withClient } from '../../product/database.ts'
import { openListeningGateway } from '../product/listening-gateway.ts'
import { freePort, type Product } from '../product/product.ts'
import type { ToldProgram } from '../script/told-program.ts'
import type { Workplace } from '../script/workplace.ts'

interface StoredEvent {
  id: string
  latchedCount: number
  isCleared: boolean
  logGeneratedAt: Date
}

export interface OpcUaLaboratory {
  product: Product
  gateway: ToldProgram
  /** `level` is that of the tank whose condition is active above 0.8. */
  server: {
    start(level: number): Promise<void>
    setLevel(level: number): void
    /** Sets how far its clock is ahead, in milliseconds. */
    setClock(aheadMs: number): void
    kill(): Promise<void>
  }
  events(): Promise<StoredEvent[]>
  /** Waits until the events are as wanted. Returns the milliseconds from `since`. */
  until(wanted: (events: StoredEvent[]) => boolean, since: number): Promise<number>
}

/** Starts the product, and prepares a gateway with an OPC UA source and a server with one condition. */
export async function openOpcUaLaboratory(workplace: Workplace): Promise<OpcUaLaboratory> {
  const port = await freePort()
  const { product, databaseUrl, gateway } = await openListeningGateway(workplace, {
    folder: join(workplace.folder, 'opcua'),
    sourcesOf: ([instrument = '']) => sourcesOf(port, instrument),
  })
  let level = 0.5
  const server = opcUaServer(workplace, { name: 'opcua-server', port, options: () => ['--level', String(level)] })
  const events = () =>
    withClient(databaseUrl, async (database) => {
      const { rows } = await database.query<StoredEvent>(
        `SELECT id, latched_count AS "latchedCount", cleared_at IS NOT NULL AS "isCleared", log_generated_at AS "logGeneratedAt"
         FROM service_event ORDER BY id`,
      )
      return rows
    })
  return {
    product,
    gateway,
    server: {
      async start(at) {
        level = at
        await server.start('ready')
      },
      setLevel: (at) => server.tell({ level: at }),
      setClock: (aheadMs) => server.tell({ clock: aheadMs }),
      kill: () => server.kill(),
    },
    events,
    async until(wanted, since) {
      const limit = since + 60_000
      while (!wanted(await events())) {
        if (Date.now() > limit) throw new Error(`After 60 s the events are ${JSON.stringify(await events())}.`)
        await pause(100)
      }
      return Date.now() - since
    },
  }
}

function sourcesOf(port: number, instrument: string): object {
  return {
    sources: [
      {
        kind: 'opcua',
        name: 'tank',
        endpoint: `opc.tcp://127.0.0.1:${port}`,
        security: 'none',
        devices: [{ instrument }],
        rules: [
          {
            when: { kind: 'condition' },
            raise: { template: 'OPCUA-{conditionName}', component: '{sourceName}', description: '{message}' },
          },
          { when: { kind: ['event', 'change'] }, ignore: true },
        ],
      },
    ],
  }
}

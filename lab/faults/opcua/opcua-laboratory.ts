import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddedPlace, socketUrl, withClient } from '../../product/database.ts'
import { repositoryRoot } from '../../repository.ts'
import { registerFleet } from '../product/fleet.ts'
import { HttpClient } from '../product/http-client.ts'
import { freePort, Product } from '../product/product.ts'
import { ToldProgram } from '../script/told-program.ts'
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
  const folder = join(workplace.folder, 'opcua')
  const product = await Product.start(workplace, { dataDir: join(folder, 'data') })
  const client = new HttpClient(product.url)
  workplace.atEnd(() => client.close())
  const databaseUrl = socketUrl(embeddedPlace(product.dataDir).socketDir)
  const { gateways } = await registerFleet(product, { client, databaseUrl, gateways: 1, instrumentsPerGateway: 1 })
  const [registered] = gateways
  if (!registered) throw new Error('No gateway was registered.')
  const port = await freePort()
  const sources = join(folder, 'sources.yaml')
  writeFileSync(sources, JSON.stringify(sourcesOf(port, registered.instruments[0] ?? '')))
  const serverFolder = join(folder, 'server')
  mkdirSync(serverFolder)
  let level = 0.5
  const server = new ToldProgram(workplace, 'opcua-server', () =>
    spawn(
      process.execPath,
      [
        join(repositoryRoot, 'packages/gateway/src/testing/opcua/server.ts'),
        ...['--port', String(port), '--folder', serverFolder, '--level', String(level)],
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    ),
  )
  const gateway = new ToldProgram(workplace, 'gateway', () =>
    spawn(process.execPath, [join(repositoryRoot, 'packages/gateway/src/main.ts')], {
      env: {
        BENCHWATCH_URL: product.url,
        GATEWAY_NAME: registered.name,
        GATEWAY_KEY: registered.key,
        GATEWAY_SOURCES: sources,
        OUTBOX_DIR: join(folder, 'outbox'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
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

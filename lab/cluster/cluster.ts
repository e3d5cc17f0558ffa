import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ExternalPostgres } from '../faults/product/external-postgres.ts'
import { freePort, Product } from '../faults/product/product.ts'
import type { Workplace } from '../faults/script/workplace.ts'
import { Haproxy, installedHaproxy } from './haproxy.ts'
import { startNats } from './nats-process.ts'

const SERVERS = 4
/** The first server makes the demo data, which takes minutes on a busy machine. */
const START_MS = 600_000

interface ClusterOptions {
  /** The port of HAProxy; a free one by default. */
  port?: number
  hasNats: boolean
  env?: Record<string, string>
  /** Further variables of single servers, by their place. */
  envOf?: Record<number, Record<string, string>>
}

/** Four servers on one PostgreSQL behind HAProxy, all on the loopback; they end with the script. */
export interface Cluster {
  /** The address of HAProxy. */
  url: string
  haproxy: Haproxy
  postgres: ExternalPostgres
  servers: Product[]
}

/** Starts the database, NATS if asked, the servers one after the other, and HAProxy. Throws UsageError without HAProxy. */
export async function startCluster(
  workplace: Workplace,
  { port, hasNats, env = {}, envOf = {} }: ClusterOptions,
): Promise<Cluster> {
  installedHaproxy()
  const postgres = await ExternalPostgres.start(workplace)
  const nats = hasNats ? await startNats(workplace) : null
  const balancerPort = port ?? (await freePort())
  const exportsFolder = join(workplace.folder, 'exports')
  mkdirSync(exportsFolder)
  const servers: Product[] = []
  for (let place = 0; place < SERVERS; place += 1) {
    const dataDir = join(workplace.folder, `server-${place + 1}`)
    mkdirSync(dataDir)
    // As the network folder that operators mount there.
    symlinkSync(exportsFolder, join(dataDir, 'exports'))
    const server = await Product.start(workplace, {
      databaseUrl: postgres.url,
      dataDir,
      readyWithinMs: START_MS,
      env: {
        PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
        TRUST_PROXY: '127.0.0.1',
        ...(nats && { NATS_URL: nats.url }),
        ...env,
        ...envOf[place],
      },
    })
    servers.push(server)
  }
  const haproxy = await Haproxy.start(workplace, { port: balancerPort, servers: servers.map(({ url }) => url) })
  return { url: haproxy.url, haproxy, postgres, servers }
}

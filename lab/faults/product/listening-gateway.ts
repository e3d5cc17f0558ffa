import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedPlace, socketUrl } from '../../product/database.ts'
import { repositoryRoot } from '../../repository.ts'
import { ToldProgram } from '../script/told-program.ts'
import type { Workplace } from '../script/workplace.ts'
import { registerFleet } from './fleet.ts'
import { HttpClient } from './http-client.ts'
import { Product } from './product.ts'

/**
 * Starts the product with one instrument, and prepares a gateway whose file of sources `sourcesOf` makes for it. The
 * gateway says 'reports to' when it has started. `outbox` is in the workplace by default.
 */
export async function openListeningGateway(
  workplace: Workplace,
  {
    sourcesOf,
    outbox = join(workplace.folder, 'outbox'),
  }: { sourcesOf: (instrument: string) => object; outbox?: string },
): Promise<{ product: Product; databaseUrl: string; gateway: ToldProgram }> {
  const product = await Product.start(workplace)
  const client = new HttpClient(product.url)
  workplace.atEnd(() => client.close())
  const databaseUrl = socketUrl(embeddedPlace(product.dataDir).socketDir)
  const { gateways } = await registerFleet(product, { client, databaseUrl, gateways: 1, instrumentsPerGateway: 1 })
  const [registered] = gateways
  if (!registered) throw new Error('No gateway was registered.')
  const sources = join(workplace.folder, 'sources.yaml')
  writeFileSync(sources, JSON.stringify(sourcesOf(registered.instruments[0] ?? '')))
  const gateway = new ToldProgram(workplace, 'gateway', () =>
    spawn(process.execPath, [join(repositoryRoot, 'packages/gateway/src/main.ts')], {
      env: {
        BENCHWATCH_URL: product.url,
        GATEWAY_NAME: registered.name,
        GATEWAY_KEY: registered.key,
        GATEWAY_SOURCES: sources,
        OUTBOX_DIR: outbox,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  )
  return { product, databaseUrl, gateway }
}

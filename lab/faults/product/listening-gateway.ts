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
 * Starts the product with instruments, one by default, and prepares a gateway whose file of sources `sourcesOf` makes for
 * their installed product ids. The gateway says 'reports to' when it has started. Everything is in `folder`, by default
 * that of the workplace; the outbox may be elsewhere.
 */
export async function openListeningGateway(
  workplace: Workplace,
  {
    sourcesOf,
    instruments: instrumentsPerGateway = 1,
    folder = workplace.folder,
    outbox = join(folder, 'outbox'),
  }: { sourcesOf: (instruments: readonly string[]) => object; instruments?: number; folder?: string; outbox?: string },
): Promise<{ product: Product; databaseUrl: string; gateway: ToldProgram; instruments: readonly string[] }> {
  const product = await Product.start(workplace, { dataDir: join(folder, 'data') })
  const client = new HttpClient(product.url)
  workplace.atEnd(() => client.close())
  const databaseUrl = socketUrl(embeddedPlace(product.dataDir).socketDir)
  const { gateways } = await registerFleet(product, { client, databaseUrl, gateways: 1, instrumentsPerGateway })
  const [registered] = gateways
  if (!registered) throw new Error('No gateway was registered.')
  const sources = join(folder, 'sources.yaml')
  writeFileSync(sources, JSON.stringify(sourcesOf(registered.instruments)))
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
  return { product, databaseUrl, gateway, instruments: registered.instruments }
}

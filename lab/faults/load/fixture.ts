import { setTimeout as pause } from 'node:timers/promises'
import { embeddedPlace, socketUrl, withClient } from '../../product/database.ts'
import { type Comparison, compare } from '../ledger/comparison.ts'
import { Ledger } from '../ledger/ledger.ts'
import { type Fleet, registerFleet, signIn } from '../product/fleet.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { Product, type ProductOptions } from '../product/product.ts'
import type { Verdict } from '../script/verdict.ts'
import type { Workplace } from '../script/workplace.ts'
import { GatewayLoad } from './gateway-load.ts'
import { Probe } from './probe.ts'

interface FixtureOptions extends ProductOptions {
  gateways: number
  instrumentsPerGateway?: number
}

/** A running product with a registered fleet, a signed-in administrator and an empty ledger. */
export interface Fixture {
  product: Product
  client: HttpClient
  fleet: Fleet
  ledger: Ledger
  token: string
  /** Connects as the owner of the schema. The address of the embedded database changes with each start. */
  databaseUrl(): string
}

export async function openFixture(
  workplace: Workplace,
  { gateways, instrumentsPerGateway, ...options }: FixtureOptions,
): Promise<Fixture> {
  const product = await Product.start(workplace, options)
  const client = new HttpClient(product.url)
  workplace.atEnd(() => client.close())
  const databaseUrl = () => options.databaseUrl ?? socketUrl(embeddedPlace(product.dataDir).socketDir)
  const fleet = await registerFleet(product, {
    client,
    databaseUrl: databaseUrl(),
    gateways,
    ...(instrumentsPerGateway !== undefined && { instrumentsPerGateway }),
  })
  return { product, client, fleet, ledger: new Ledger(), token: await signIn(client), databaseUrl }
}

/** Starts the load of all gateways except the first `spare` ones; it ends with the script. */
export function startLoad(
  workplace: Workplace,
  { client, fleet, ledger }: Fixture,
  { perSecond, spare = 0, answers }: { perSecond: number; spare?: number; answers: Answer[] },
): GatewayLoad {
  const load = new GatewayLoad({
    client,
    ledger,
    gateways: fleet.gateways.slice(spare),
    perSecond,
    onDelivery: ({ answer }) => {
      // The bodies of thousands of answers are not needed.
      answers.push({ ...answer, body: '' })
    },
  })
  workplace.atEnd(() => load.stop())
  return load
}

/** Starts a probe through the first gateway, which the load has to spare; it ends with the script. */
export function startProbe(
  workplace: Workplace,
  { product, fleet, ledger, token }: Fixture,
  { everyMs }: { everyMs: number },
): Probe {
  const [gateway] = fleet.gateways
  if (!gateway) throw new Error('At least two gateways are needed.')
  const client = new HttpClient(product.url, { connections: 500 })
  const probe = new Probe({ client, token, gateway, ledger, everyMs })
  workplace.atEnd(() => probe.stop())
  return probe
}

/** Waits until all queued items are acknowledged, then compares the ledger with the database. */
export async function settleFixture(
  { ledger, databaseUrl }: Fixture,
  { load, verdict, withinMs = 120_000 }: { load: GatewayLoad; verdict: Verdict; withinMs?: number },
): Promise<Comparison> {
  const left = await load.drain(withinMs)
  // Creation messages are sent within a second after the commit.
  await pause(2000)
  const found = await withClient(databaseUrl(), (database) => compare(database, ledger))
  verdict.compared(found)
  verdict.atMost('unsent at the end', { figure: left, most: 0 })
  verdict.atMost('rejected', { figure: ledger.rejected, most: 0 })
  return found
}

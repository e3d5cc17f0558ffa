import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

interface Component {
  componentName: string
  usage: { metric: string; forecastDate: string | null }[]
}

/** An instrument with a counter whose day is forecast, and that counter. */
export interface ForecastCounter {
  instrumentId: string
  componentName: string
  metric: string
}

/** A counter of the demo fleet whose day is forecast, as support sees it. */
export async function findForecast(product: Product): Promise<ForecastCounter> {
  const accessToken = await signedIn(product, 'support')
  const { values } = await listInstruments(product, { accessToken, filter: {} })
  for (const { id } of values) {
    const answer = await fetch(`${product.baseUrl}/api/instruments/components/${id}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    for (const { componentName, usage } of (await answer.json()) as Component[]) {
      const found = usage.find(({ forecastDate }) => forecastDate !== null)
      if (found) return { instrumentId: id, componentName, metric: found.metric }
    }
  }
  throw new Error('No counter of the first 100 instruments has a forecast')
}

/** An instrument that is connected and in no maintenance, of those that this person sees. */
export async function findMaintainable(product: Product, who: keyof typeof people): Promise<ListedInstrument> {
  const filter = { orcStatus: ['Connected'], maintenance: ['none'] }
  const { values } = await listInstruments(product, { accessToken: await signedIn(product, who), filter })
  const [found] = values
  if (!found) throw new Error(`No instrument of ${people[who]} is connected and in no maintenance`)
  return found
}

interface ListedInstrument {
  id: string
  instrumentInstalledProductId: string
  gatewayName: string
}

async function signedIn(product: Product, who: keyof typeof people): Promise<string> {
  const answer = await post(product, '/auth/sign-in', { body: { userId: people[who], password: DEMO_PASSWORD } })
  return ((await answer.json()) as { accessToken: string }).accessToken
}

/** The first 100. */
async function listInstruments(
  product: Product,
  { accessToken, filter }: { accessToken: string; filter: Record<string, string[]> },
): Promise<{ values: ListedInstrument[] }> {
  const answer = await post(product, '/instruments?limit=100', { accessToken, body: { filter } })
  return (await answer.json()) as { values: ListedInstrument[] }
}

function post(
  product: Product,
  path: string,
  { accessToken, body }: { accessToken?: string; body: unknown },
): Promise<Response> {
  return fetch(`${product.baseUrl}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
    body: JSON.stringify(body),
  })
}

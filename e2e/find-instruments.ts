import { Api } from './api.ts'
import type { people } from './people.ts'
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

interface ListedInstrument {
  id: string
  instrumentInstalledProductId: string
  gatewayName: string
}

/** A counter of the demo fleet whose day is forecast, as support sees it. */
export async function findForecast(product: Product): Promise<ForecastCounter> {
  const api = await Api.of(product, 'support')
  for (const { id } of await listInstruments(api)) {
    for (const { componentName, usage } of await api.call<Component[]>('GET', `/instruments/components/${id}`)) {
      const found = usage.find(({ forecastDate }) => forecastDate !== null)
      if (found) return { instrumentId: id, componentName, metric: found.metric }
    }
  }
  throw new Error('No counter of the first 100 instruments has a forecast')
}

/** An instrument that is connected and in no maintenance, of those that this person sees. */
export async function findMaintainable(product: Product, who: keyof typeof people): Promise<ListedInstrument> {
  const [found] = await listInstruments(await Api.of(product, who), { orcStatus: ['Connected'], maintenance: ['none'] })
  if (!found) throw new Error(`No instrument that ${who} sees is connected and in no maintenance`)
  return found
}

/** The first 100. */
async function listInstruments(api: Api, filter: Record<string, string[]> = {}): Promise<ListedInstrument[]> {
  const { values } = await api.call<{ values: ListedInstrument[] }>('POST', '/instruments?limit=100', { filter })
  return values
}

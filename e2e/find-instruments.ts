import type { Instrument, InstrumentFilter } from '@benchwatch/contract/instruments/instruments'
import { apiOf } from './api.ts'
import type { people } from './people.ts'
import type { Product } from './product.ts'

/** An instrument with a counter whose day is forecast, and that counter. */
export interface ForecastCounter {
  instrumentId: string
  componentName: string
  metric: string
}

/** A counter of the demo fleet whose day is forecast, as support sees it. */
export async function findForecast(product: Product): Promise<ForecastCounter> {
  const api = apiOf(product, 'support')
  for (const { id } of await listInstruments(product, 'support')) {
    for (const { componentName, usage } of await api.call('listComponentUsage', { params: { id } })) {
      const found = usage.find(({ forecastDate }) => forecastDate !== null)
      if (found) return { instrumentId: id, componentName, metric: found.metric }
    }
  }
  throw new Error('No counter of the first 100 instruments has a forecast')
}

/** An instrument that is connected and in no maintenance, of those that this person sees. */
export async function findMaintainable(product: Product, who: keyof typeof people): Promise<Instrument> {
  const [found] = await listInstruments(product, who, { orcStatus: ['Connected'], maintenance: ['none'] })
  if (!found) throw new Error(`No instrument that ${who} sees is connected and in no maintenance`)
  return found
}

/** The first 100. */
async function listInstruments(
  product: Product,
  who: keyof typeof people,
  filter: InstrumentFilter = {},
): Promise<Instrument[]> {
  const { values } = await apiOf(product, who).call('listInstruments', { query: { limit: 100 }, body: { filter } })
  return values
}

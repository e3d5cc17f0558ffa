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
  const post = (path: string, body: unknown, token?: string) =>
    fetch(`${product.baseUrl}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/auth/sign-in', { userId: people.support, password: DEMO_PASSWORD })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const list = await post('/instruments?limit=100', { filter: {} }, accessToken)
  const { values } = (await list.json()) as { values: { id: string }[] }
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

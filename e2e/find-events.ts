import type { CallInput } from '@benchwatch/client/client'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { apiOf } from './api.ts'
import type { Product } from './product.ts'

/** The newest hundred events that support sees, narrowed as in the list. */
export async function findEvents(
  product: Product,
  narrowing: CallInput<'listServiceEvents'>['query'] = {},
): Promise<ServiceEvent[]> {
  const { values } = await apiOf(product, 'support').call('listServiceEvents', {
    query: { limit: 100, ...narrowing },
    body: {},
  })
  return values.map(({ alarm }) => alarm)
}

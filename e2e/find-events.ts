import { Api } from './api.ts'
import type { Product } from './product.ts'

/** The facts that journeys need about an event before they look at it on the screen. */
export interface FoundEvent {
  eventId: string
  alertStatus: string
  claimedBy: string | null
  isEdgeIssue: boolean
  instrumentInstalledProductId: string
  gatewayName: string | null
}

/** The newest hundred events that support sees, narrowed as in an address of the list: `fullSupportEvents=true`, `keyword=…`. */
export async function findEvents(product: Product, narrowing = ''): Promise<FoundEvent[]> {
  const api = await Api.of(product, 'support')
  const { values } = await api.call<{ values: { alarm: FoundEvent }[] }>('POST', `/alarms?limit=100&${narrowing}`, {
    filter: {},
  })
  return values.map(({ alarm }) => alarm)
}

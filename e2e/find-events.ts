import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

/** What journeys need to know of an event before they look at it on the screen. */
export interface FoundEvent {
  eventId: string
  alertStatus: string
  claimedBy: string | null
  isEdgeIssue: boolean
  instrumentInstalledProductId: string
  gatewayName: string | null
  contactPhone: string | null
}

/** The newest hundred events that support sees, narrowed as in an address of the list: `fullSupportEvents=true`, `keyword=…`. */
export async function findEvents(product: Product, narrowing = ''): Promise<FoundEvent[]> {
  const signedIn = await fetch(`${product.baseUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: people.support, password: DEMO_PASSWORD }),
  })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const answer = await fetch(`${product.baseUrl}/api/alarms?limit=100&${narrowing}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: '{"filter":{}}',
  })
  if (answer.status !== 200) throw new Error(`No events: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { values: { alarm: FoundEvent }[] }).values.map(({ alarm }) => alarm)
}

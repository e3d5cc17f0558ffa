import { fillPlaceholders } from '@benchwatch/contract/placeholders'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import { type Outage, ordinaryOutages } from '@benchwatch/samples/simulator/outages'
import { builtInTemplates, EVENT_AFTER_MS, placeholderValues } from '../features/connections/connection-rules.ts'
import { EDGE_TEMPLATE } from '../features/connections/connections.store.ts'
import type { Colleague } from './demo-people.store.ts'
import { handle } from './handling.ts'
import type { HistoryEvent } from './history-events.ts'
import type { HistoryGateway } from './history-ground.store.ts'

const MINUTE = 60_000
/** Outages last one and a half hours at least, so none is missed. */
const LOOK_EVERY = 60 * MINUTE

/** An edge issue for each outage of a gateway whose end history has seen: the outages in which items waited, too. */
export function edgeIssues(
  gateways: readonly HistoryGateway[],
  around: { seed: string; from: Date; until: Date; colleagues: readonly Colleague[]; random: SeededRandom },
): HistoryEvent[] {
  return gateways.flatMap((gateway) => outagesOf(gateway.name, around).map((outage) => issue(gateway, outage, around)))
}

function outagesOf(gateway: string, { seed, from, until }: { seed: string; from: Date; until: Date }): Outage[] {
  const outageAt = ordinaryOutages({ seed, gateway })
  const found = new Map<number, Outage>()
  for (let at = from.getTime(); at < until.getTime(); at += LOOK_EVERY) {
    const outage = outageAt(at)
    if (outage && outage.from >= from.getTime() && outage.to + MINUTE < until.getTime()) found.set(outage.from, outage)
  }
  return [...found.values()]
}

function issue(
  gateway: HistoryGateway,
  outage: Outage,
  { colleagues, random, until }: { colleagues: readonly Colleague[]; random: SeededRandom; until: Date },
): HistoryEvent {
  const createdAt = new Date(Math.round(outage.from) + EVENT_AFTER_MS)
  const alertId = `${gateway.installedProductId}-${EDGE_TEMPLATE}-${createdAt.getTime()}`
  const { severity, description, userMessage } = builtInTemplates.EDGE_ISSUE
  const { name: gatewayName, installedProductId } = gateway
  return {
    createdAt,
    logGeneratedAt: createdAt,
    clearedAt: new Date(Math.round(outage.to)),
    alertId,
    furtherAlertIds: [],
    latched: 0,
    templateId: EDGE_TEMPLATE,
    componentName: null,
    severity,
    alertType: 1,
    isEdgeIssue: true,
    description: fillPlaceholders(
      description,
      placeholderValues({ gatewayName, installedProductId, instrument: null }, EVENT_AFTER_MS),
    ),
    userMessage,
    instrumentId: null,
    gatewayId: gateway.id,
    siteId: gateway.siteId,
    customerId: gateway.customerId,
    statusAtEvent: null,
    fullSupport: false,
    automaticEmail: null,
    steps: handle(
      { createdAt, severity, customerId: gateway.customerId },
      { random: random.fork(alertId), colleagues, until },
    ),
  }
}

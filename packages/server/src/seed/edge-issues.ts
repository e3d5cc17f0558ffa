import { fillPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { ConnectionEventKind } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import { type LastingSilences, type Outage, ordinaryOutages } from '@benchwatch/samples/simulator/outages'
import { builtInTemplates, EVENT_AFTER_MS, placeholderValues } from '../features/connections/connection-rules.ts'
import { EDGE_TEMPLATE, OFFLINE_TEMPLATE } from '../features/connections/connections.store.ts'
import { dayAt, isFullSupport } from '../features/registry/full-support.ts'
import type { Colleague } from './demo-people.ts'
import { handle } from './handling.ts'
import type { HistoryEvent } from './history-events.ts'
import type { HistoryFixture, HistoryGateway } from './history-fixture.store.ts'

const MINUTE = 60_000
/** Outages last at least one and a half hours, so none is missed. */
const LOOK_EVERY = 60 * MINUTE

/** Returns an edge issue for each finished outage of a gateway, including outages in which items waited. */
export function edgeIssues(
  gateways: readonly HistoryGateway[],
  around: {
    seed: string
    from: Date
    until: Date
    silences: LastingSilences
    colleagues: readonly Colleague[]
    random: SeededRandom
  },
): HistoryEvent[] {
  return gateways.flatMap((gateway) => {
    const until = new Date(around.silences.gateways.get(gateway.name) ?? around.until)
    return outagesOf(gateway.name, { ...around, until }).map((outage) => {
      const createdAt = new Date(Math.round(outage.from) + EVENT_AFTER_MS)
      const { severity } = builtInTemplates.EDGE_ISSUE
      const alertId = `${gateway.installedProductId}-${EDGE_TEMPLATE}-${createdAt.getTime()}`
      const steps = handle(
        { createdAt, severity, customerId: gateway.customerId },
        { random: around.random.fork(alertId), colleagues: around.colleagues, until: around.until },
      )
      return { ...edgeIssue(gateway, createdAt), clearedAt: new Date(Math.round(outage.to)), alertId, steps }
    })
  })
}

/** Returns events about connections that are still lost; the product clears them when the connection is back. */
export function lostConnections(
  { instruments, gateways }: Pick<HistoryFixture, 'instruments' | 'gateways'>,
  silences: LastingSilences,
): HistoryEvent[] {
  const ofGateways = gateways.flatMap((gateway) => {
    const since = silences.gateways.get(gateway.name)
    if (since === undefined) return []
    const alertId = `${gateway.installedProductId}-EDGE-${since}`
    return [{ ...edgeIssue(gateway, new Date(since + EVENT_AFTER_MS)), logGeneratedAt: new Date(since), alertId }]
  })
  const ofInstruments = [...silences.instruments].flatMap(([installedProductId, since]) => {
    const instrument = instruments.get(installedProductId)
    const gateway = gateways.find(({ id }) => id === instrument?.gatewayId)
    if (!instrument || !gateway) return []
    const createdAt = new Date(since + EVENT_AFTER_MS)
    const lost = {
      gatewayName: gateway.name,
      installedProductId,
      instrument: { name: instrument.productDescription },
    }
    return [
      {
        ...lostConnection('OFFLINE', lost, createdAt),
        logGeneratedAt: new Date(since),
        alertId: `${installedProductId}-OFFLINE-${since}`,
        templateId: OFFLINE_TEMPLATE,
        isEdgeIssue: false,
        instrumentId: instrument.id,
        gatewayId: gateway.id,
        siteId: instrument.siteId,
        customerId: instrument.customerId,
        statusAtEvent: 'disconnected' as const,
        fullSupport: isFullSupport(instrument.contract, dayAt(instrument.timeZone, createdAt)),
      },
    ]
  })
  return [...ofGateways, ...ofInstruments]
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

function edgeIssue(gateway: HistoryGateway, createdAt: Date) {
  const { id, name: gatewayName, installedProductId, siteId, customerId } = gateway
  return {
    ...lostConnection('EDGE_ISSUE', { gatewayName, installedProductId, instrument: null }, createdAt),
    ...{ templateId: EDGE_TEMPLATE, isEdgeIssue: true, instrumentId: null, gatewayId: id, siteId, customerId },
    ...{ statusAtEvent: null, fullSupport: false },
  }
}

function lostConnection(
  kind: ConnectionEventKind,
  lost: Parameters<typeof placeholderValues>[0],
  createdAt: Date,
): Omit<HistoryEvent, keyof Place> {
  const { severity, description, userMessage } = builtInTemplates[kind]
  return {
    ...{ createdAt, logGeneratedAt: createdAt, clearedAt: null, furtherAlertIds: [], latched: 0 },
    ...{ componentName: null, severity, alertType: 1, userMessage, automaticEmail: null, steps: [] },
    description: fillPlaceholders(description, placeholderValues(lost, EVENT_AFTER_MS)),
  }
}

type Place = Pick<
  HistoryEvent,
  | 'alertId'
  | 'templateId'
  | 'isEdgeIssue'
  | 'instrumentId'
  | 'gatewayId'
  | 'siteId'
  | 'customerId'
  | 'statusAtEvent'
  | 'fullSupport'
>

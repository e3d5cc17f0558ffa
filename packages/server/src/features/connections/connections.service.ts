import type { ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import { fillPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { ConnectionEventKind } from '@benchwatch/contract/vocabulary'
import { recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { type Announcement, announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { creationMessage, type NewServiceEvent } from '../events/change-record.ts'
import { clearServiceEvents, insertServiceEvents } from '../events/events.store.ts'
import { latchOnto } from '../ingest/alarms/alarms.service.ts'
import { instrumentUpdates } from '../instrument-updates.ts'
import { dayAt, isFullSupport } from '../registry/full-support.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import {
  builtInTemplates,
  EVENT_AFTER_MS,
  onceGatewayIsBack,
  placeholderValues,
  whileGatewayIsSilent,
} from './connection-rules.ts'
import { readTemplates } from './connection-templates.store.ts'
import {
  type BehindGateway,
  type ChangedGateway,
  type Connection,
  EDGE_TEMPLATE,
  forgetSilences,
  type LostConnection,
  lockBehind,
  lockNewlySilent,
  lockOpenOffline,
  lockReturned,
  lockSilent,
  lockUnraisedGateways,
  lockUnraisedInstruments,
  noteSilence,
  OFFLINE_TEMPLATE,
  readLost,
  readRegained,
  writeConnections,
} from './connections.store.ts'

/**
 * Sets instruments behind silent gateways to Edge Issue, and those of returned gateways to their last reported state.
 * `listeningSince`: a server that is down receives no reports, so silence counts from its start. If silence is not
 * watched, gateways marked as silent count as returned, because their return would never be noticed.
 */
export async function watchGateways(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  listeningSince: Date,
): Promise<void> {
  const silenceMs = config.gatewaySilenceSeconds * 1000
  const isWatched = silenceMs > 0
  await inTransaction(db, async (trx) => {
    const now = clock.now()
    const silentBefore = new Date(now.getTime() - silenceMs)
    const silent = isWatched && listeningSince <= silentBefore ? await lockNewlySilent(trx, silentBefore) : []
    const returned = isWatched ? await lockReturned(trx, silentBefore) : await lockSilent(trx)
    if (silent.length + returned.length === 0) return
    await noteSilence(trx, [
      ...silent.map(({ id, lastSeenAt }) => ({ id, silentSince: lastSeenAt })),
      ...returned.map(({ id, lastSeenAt }) => ({ id, silentSince: null, reportedAt: isWatched ? lastSeenAt : now })),
    ])
    const since = new Map(silent.map(({ id, lastSeenAt }) => [id, lastSeenAt]))
    const behindSilent = await lockBehind(trx, {
      gatewayIds: idsOf(silent),
      orcStatuses: ['Connected', 'Disconnected'],
    })
    const behindReturned = await lockBehind(trx, { gatewayIds: idsOf(returned), orcStatuses: ['Edge Issue'] })
    const changes = [
      ...behindSilent.map((one): Change => {
        const lostAt = since.get(one.gatewayId) ?? now
        return { before: one, after: { ...whileGatewayIsSilent(one, lostAt), id: one.id, at: lostAt } }
      }),
      ...behindReturned.map(
        (one): Change => ({ before: one, after: { ...onceGatewayIsBack(one), id: one.id, at: now } }),
      ),
    ]
    await writeConnections(
      trx,
      changes.map(({ after }) => after),
    )
    await recordAudits(
      trx,
      [...silent, ...returned].map((gateway) => ({
        subject: { entityType: 'gateway', entityId: gateway.name, actor: { type: 'system' }, at: now },
        entries: [silenceEntry(gateway)],
      })),
    )
    await announce(trx, changes.flatMap(updatesOf))
  })
}

const idsOf = (gateways: readonly ChangedGateway[]) => gateways.map(({ id }) => id)

function silenceEntry({ silentSince, lastSeenAt }: ChangedGateway) {
  return {
    action: 'update',
    property: 'silentSince',
    oldValue: silentSince?.toISOString() ?? null,
    newValue: silentSince ? null : lastSeenAt.toISOString(),
  }
}

interface Change {
  before: BehindGateway
  after: Connection
}

function updatesOf({ before, after: { orcStatus, unknownAt } }: Change): Announcement[] {
  const isKnown = before.unknownAt?.getTime() === unknownAt?.getTime()
  return instrumentUpdates(before, { orcStatus, unknownAt: isKnown ? undefined : unknownAt })
}

/**
 * Raises an event about each connection that has been lost for 10 minutes, once, if the flags of the deployment allow
 * it, and marks events about restored connections as returned to normal. After a start, gateways first get time to
 * report: a connection that was lost before may be back. A server that does not watch its gateways raises no events,
 * but ends existing ones, because instruments report again there, too.
 */
export async function raiseLostConnections(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  listeningSince: Date,
): Promise<void> {
  const silenceMs = config.gatewaySilenceSeconds * 1000
  await inTransaction(db, async (trx) => {
    const now = clock.now()
    const mayRaise = silenceMs > 0 && now.getTime() - listeningSince.getTime() >= silenceMs
    // Order matters: every writer of a status locks the instrument before its events.
    const lost = mayRaise ? await lockUnraised(trx, new Date(now.getTime() - EVENT_AFTER_MS)) : []
    const cleared = await clearRegained(trx, { now })
    await announce(trx, [...cleared, ...(await raise(trx, { lost, now }))])
  })
}

async function lockUnraised(trx: Trx, before: Date): Promise<LostConnection[]> {
  const isOn = (key: Parameters<typeof featureIsOnForDeployment>[1]) => featureIsOnForDeployment(trx, key)
  return [
    ...((await isOn('EDGE_ISSUE_EVENT_CREATION')) ? await lockUnraisedGateways(trx, before) : []),
    ...((await isOn('INSTRUMENT_OFFLINE_EVENT_CREATION')) ? await lockUnraisedInstruments(trx, before) : []),
  ]
}

/**
 * Marks open events about lost connections as returned to normal if the connection is back, for one instrument or for
 * all instruments and gateways. Returns the live messages.
 */
export async function clearRegained(
  trx: Trx,
  { instrumentId, now }: { instrumentId?: number; now: Date },
): Promise<Announcement[]> {
  return clearServiceEvents(trx, { ids: await readRegained(trx, instrumentId), at: now })
}

/**
 * Raises the event about one instrument immediately on request, whatever the flags say; an open event counts it as a
 * repeat (3-decisions 4, Latched). The caller has locked the instrument and cleared restored connections. Returns the
 * live messages; empty if the instrument is connected or has no gateway.
 */
export async function raiseOfflineEvent(
  trx: Trx,
  { instrumentId, now }: { instrumentId: number; now: Date },
): Promise<Announcement[]> {
  const lost = await readLost(trx, instrumentId)
  if (!lost) return []
  const id = await lockOpenOffline(trx, { instrumentId, customerId: lost.customerId })
  if (id !== undefined) return latchOnto(trx, { id, installedProductId: lost.installedProductId })
  return raise(trx, { lost: [lost], now })
}

async function raise(trx: Trx, { lost, now }: { lost: readonly LostConnection[]; now: Date }): Promise<Announcement[]> {
  if (lost.length === 0) return []
  const isEdited = await featureIsOnForDeployment(trx, 'INSTRUMENT_STATUS_TEMPLATE')
  const stored = isEdited ? await readTemplates(trx) : undefined
  const events = lost.map((one) => {
    const kind = one.instrument ? 'OFFLINE' : 'EDGE_ISSUE'
    return newEvent(one, { kind, template: stored?.get(kind) ?? builtInTemplates[kind], now })
  })
  const ids = await insertServiceEvents(trx, events)
  return events.flatMap((event, index) => {
    const id = ids.get(index)
    return id === undefined
      ? []
      : [creationMessage({ id, event, installedProductId: lost[index]?.installedProductId ?? '' })]
  })
}

function newEvent(
  lost: LostConnection,
  { kind, template, now }: { kind: ConnectionEventKind; template: ConnectionTemplateInput; now: Date },
): NewServiceEvent {
  const { instrument } = lost
  const values = placeholderValues(lost, now.getTime() - lost.lostAt.getTime())
  return {
    createdAt: now,
    logGeneratedAt: lost.lostAt,
    alertId: lost.alertId,
    templateId: kind === 'OFFLINE' ? OFFLINE_TEMPLATE : EDGE_TEMPLATE,
    severity: template.severity,
    alertType: 1,
    alertSource: kind,
    isEdgeIssue: instrument === null,
    description: fillPlaceholders(template.description, values),
    userMessage: template.userMessage === null ? null : fillPlaceholders(template.userMessage, values),
    instrumentId: instrument?.id ?? null,
    componentId: null,
    gatewayId: lost.gatewayId,
    siteId: lost.siteId,
    customerId: lost.customerId,
    instrumentStatusAtEvent: instrument?.status ?? null,
    duringMaintenance: instrument?.duringMaintenance ?? false,
    fullSupport: instrument ? isFullSupport(instrument.contract, dayAt(instrument.timeZone, now)) : false,
  }
}

/** Key figures cover 400 days. */
const SILENCES_KEPT_DAYS = 430

/** Periodic tasks of the leader. */
export function connectionTasks(context: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  const listeningSince = context.clock.now()
  return [
    { name: 'watch gateways', everyMs: 5000, run: () => watchGateways(context, listeningSince) },
    { name: 'report lost connections', everyMs: 15_000, run: () => raiseLostConnections(context, listeningSince) },
    {
      name: 'forget old silences of gateways',
      everyMs: 6 * 3_600_000,
      run: () => forgetSilences(context.db, new Date(context.clock.now().getTime() - SILENCES_KEPT_DAYS * 86_400_000)),
    },
  ]
}

import { liveCloseCodes } from '@benchwatch/contract/live'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../../db/connect.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Broadcast, LiveHub, Viewer } from '../../platform/live/hub.ts'
import type { Log } from '../../platform/log.ts'
import { rightsOfSessions } from '../auth/auth.lookup.ts'

/** Only messages about new events have this field. Matched without parsing, because every message passes here. */
const CREATED_AT = /"createdAt": ?"([^"]{20,30})"/

/**
 * Delivers published messages to this node's sockets. A message to a user may mean that one of their sessions ended,
 * that their rights changed or that one of their flags was switched, perhaps on another node, so their sockets are
 * checked before they get anything else. Sockets that could not be checked are closed.
 */
export function createLiveDelivery({
  db,
  hub,
  log,
}: {
  db: Db
  hub: LiveHub
  log: Log
}): (broadcasts: readonly Broadcast[]) => void {
  return (broadcasts) => {
    const delivered = hub.deliver(broadcasts)
    if (delivered.length === 0) return
    for (const { viewer, broadcast } of delivered)
      if (isAboutFlags(broadcast)) hub.end({ viewer }, liveCloseCodes.deploy)
    const viewers = new Set(delivered.map(({ viewer }) => viewer))
    closeOutdated({ db, hub }, viewers).then(
      () => hub.release(viewers),
      (error: unknown) => {
        log.warn({ err: error }, 'sessions of sockets could not be read')
        for (const viewer of viewers) hub.end({ viewer }, liveCloseCodes.deploy)
      },
    )
  }
}

/**
 * Closes those of these connections that may no longer see what they were opened for: those of ended sessions without
 * a code, as at sign-out; others as at a deployment, so that the browser reconnects with the current rights.
 */
export async function closeOutdated(
  { db, hub }: { db: Db; hub: Pick<LiveHub, 'end'> },
  viewers: ReadonlySet<Viewer>,
): Promise<void> {
  const rights = await rightsOfSessions(db, [...new Set([...viewers].map(({ sessionId }) => sessionId))])
  for (const viewer of viewers) {
    const now = rights.get(viewer.sessionId)
    if (now === undefined) hub.end({ viewer })
    else if (now !== viewer.rights) hub.end({ viewer }, liveCloseCodes.deploy)
  }
}

function isAboutFlags({ text }: Broadcast): boolean {
  const { entity, property } = JSON.parse(text) as { entity: string; property: string | null }
  return entity === 'user' && property === 'features'
}

/** Measures the live connections of this process; returns a callback for each delivery. */
export function measureLive(
  registry: Registry,
  { hub, clock }: { hub: LiveHub; clock: Clock },
): (broadcasts: readonly Broadcast[], from: 'bus' | 'table') => void {
  new Gauge({
    name: 'benchwatch_live_connections',
    help: 'Live connections of consoles that are open',
    registers: [registry],
    collect() {
      this.set(hub.size)
    },
  })
  const delay = new Histogram({
    name: 'benchwatch_event_to_live_seconds',
    help: 'Time from the arrival of an event to its message to the consoles',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  const batches = new Counter({
    name: 'benchwatch_live_batches_total',
    help: 'Batches of live messages by the way they came to this process',
    labelNames: ['from'],
    registers: [registry],
  })
  return (broadcasts, from) => {
    batches.inc({ from })
    const now = clock.now().getTime()
    for (const { text } of broadcasts) {
      const [, createdAt = ''] = CREATED_AT.exec(text) ?? []
      const at = Date.parse(createdAt)
      if (Number.isFinite(at)) delay.observe(Math.max(0, (now - at) / 1000))
    }
  }
}

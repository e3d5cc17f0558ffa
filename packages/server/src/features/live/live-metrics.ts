import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Broadcast, LiveHub } from '../../platform/live/hub.ts'

/** Only messages about new events have it. Found without parsing: every message passes here. */
const CREATED_AT = /"createdAt": ?"([^"]{20,30})"/

/** Counts live connections of this process; returns what is to hear of each delivery to them. */
export function measureLive(
  registry: Registry,
  { hub, clock }: { hub: LiveHub; clock: Clock },
): (broadcasts: readonly Broadcast[]) => void {
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
  return (broadcasts) => {
    const now = clock.now().getTime()
    for (const { text } of broadcasts) {
      const [, createdAt = ''] = CREATED_AT.exec(text) ?? []
      const at = Date.parse(createdAt)
      if (Number.isFinite(at)) delay.observe(Math.max(0, (now - at) / 1000))
    }
  }
}

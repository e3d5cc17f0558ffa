import type { ClientMonitoredItemGroup, ClientSubscription, DataValue } from 'node-opcua-client'

/** Watches variables of a server by subscription. */

export interface WatchedValue {
  /** Node id as the library reads it. */
  node: string
  /** Called at most this often, in milliseconds, and always with the last value. 0: with each value. */
  everyMs: number
  take(value: DataValue): void
  /** Called with a sentence if the server can't watch the variable. */
  fail(reason: string): void
}

const SAMPLING_MS = 1_000
const ITEMS_PER_REQUEST = 200

/** Starts to watch. Resolves when the server has accepted or refused each variable; returns the end of it. */
export async function watchValues(
  subscription: ClientSubscription,
  values: readonly WatchedValue[],
): Promise<() => void> {
  const { AttributeIds, TimestampsToReturn } = await import('node-opcua-client')
  const timers = new Set<NodeJS.Timeout>()
  const groups: ClientMonitoredItemGroup[] = []
  for (let at = 0; at < values.length; at += ITEMS_PER_REQUEST) {
    const watched = values.slice(at, at + ITEMS_PER_REQUEST)
    const takers = watched.map((value) => atMostEvery(value, timers))
    const group = await subscription.monitorItems(
      watched.map(({ node }) => ({ nodeId: node, attributeId: AttributeIds.Value })),
      { samplingInterval: SAMPLING_MS, queueSize: 10, discardOldest: true },
      TimestampsToReturn.Both,
    )
    groups.push(group)
    group.on('changed', (_item, value: DataValue, index: number) => takers[index]?.(value))
    for (const [index, { statusCode }] of group.monitoredItems.entries())
      if (statusCode.isNotGood()) watched[index]?.fail(statusCode.name)
  }
  return () => {
    for (const timer of timers) clearTimeout(timer)
    // The server may be gone, and its items with it.
    for (const group of groups) {
      group.removeAllListeners()
      group.terminate().catch(() => undefined)
    }
  }
}

/** Holds values back that come too fast; the last one is never lost. */
function atMostEvery({ everyMs, take }: WatchedValue, timers: Set<NodeJS.Timeout>): (value: DataValue) => void {
  if (everyMs === 0) return take
  let held: DataValue | null = null
  let timer: NodeJS.Timeout | null = null
  const wait = () => {
    timer = setTimeout(() => {
      timers.delete(timer as NodeJS.Timeout)
      timer = null
      if (!held) return
      take(held)
      held = null
      wait()
    }, everyMs)
    timers.add(timer)
  }
  return (value) => {
    if (timer) {
      held = value
      return
    }
    take(value)
    wait()
  }
}

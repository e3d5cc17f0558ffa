import type { HistoricItem } from '@benchwatch/samples/simulator/history'
import type { CopyRow } from './copy-rows.ts'
import { HISTORY_ORDINAL } from './history-ground.store.ts'

type Sampled = Extract<HistoricItem['item'], { type: 'benchwatch.usage.sampled' }>
type UsageRow = { table: 'component_usage' | 'component_usage_day'; row: CopyRow }

/** One instrument's usage so far: the newest of each component, and the last value of each metric on the day under way. */
interface Usage {
  components: Map<string, CopyRow>
  day: string
  values: Map<string, CopyRow>
}

/** Component usage of a fleet as samples come in: a day is written once the next one has begun. */
export class UsageHistory {
  readonly #instruments = new Map<number, Usage>();

  *sample(instrumentId: number, { data, time, sequence }: Sampled): Generator<UsageRow> {
    const day = time.slice(0, 10)
    const usage = this.#instruments.get(instrumentId) ?? { components: new Map(), day, values: new Map() }
    this.#instruments.set(instrumentId, usage)
    if (usage.day !== day) {
      yield* dayRows(usage)
      usage.day = day
      usage.values.clear()
    }
    const counted = [HISTORY_ORDINAL, Number(sequence)]
    for (const { componentName, usage: metrics, info, details } of data.components) {
      const lists = [metrics, info, details].map((list) => JSON.stringify(list))
      usage.components.set(componentName, [instrumentId, componentName, time, ...counted, ...lists])
      for (const { metric, value } of metrics) {
        if (value === null) continue
        usage.values.set(`${componentName}\n${metric}`, [instrumentId, componentName, metric, day, ...counted, value])
      }
    }
  }

  /** What is left when there are no more samples. */
  *rest(): Generator<UsageRow> {
    for (const usage of this.#instruments.values()) {
      yield* dayRows(usage)
      for (const row of usage.components.values()) yield { table: 'component_usage', row }
    }
  }
}

function* dayRows({ values }: Usage): Generator<UsageRow> {
  for (const row of values.values()) yield { table: 'component_usage_day', row }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Measure } from '../../measure/measure.ts'
import { summarise } from '../../measure/percentiles.ts'
import { startProduct } from '../../product/product.ts'
import { KEPT_FROM } from '../fixture.ts'
import { goals } from '../goals.ts'

const WARM_STARTS = 5
const COLUMNS_MS = 180_000

/** Measures how long the server takes to start: on an empty directory with demo data, and again on these data. */
export async function measureStarts(
  { dataDir, events }: { dataDir: string; events: number },
  report: (measure: Measure) => void,
): Promise<void> {
  const empty = await mkdtemp(join(tmpdir(), 'benchwatch-bench-'))
  const cold = await startProduct({ dataDir: empty, environment: { DEMO: 'on' } })
  await cold.stop()
  report({
    group: 'start',
    name: 'start cold, empty directory, with demo data',
    unit: 's',
    value: cold.readyMs / 1000,
    goal: goals.startCold,
  })
  await rm(empty, { recursive: true, force: true })
  const times: number[] = []
  let columnsMs: number | null = null
  for (let start = 0; start < WARM_STARTS; start++) {
    const product = await startProduct({ dataDir })
    times.push(product.readyMs / 1000)
    // Once is enough, because it reads every event.
    if (start === 0 && events >= KEPT_FROM) {
      columnsMs = await Promise.race([product.columnsMs, pause(COLUMNS_MS, null, { ref: false })])
    }
    await product.stop()
  }
  const summary = summarise(times)
  report({
    group: 'start',
    name: 'start warm, on these data',
    unit: 's',
    value: summary.max,
    summary,
    goal: goals.startWarm,
  })
  if (columnsMs !== null) {
    report({ group: 'start', name: 'until long ranges are searched in memory', unit: 's', value: columnsMs / 1000 })
  }
}

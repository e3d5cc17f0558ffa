import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { figure, type Measure } from './measure/measure.ts'

/** `node bench/figures.ts`: prints every figure of both sizes; docs/performance.md shows the slowest. */
interface Result {
  at: string
  machine: Record<string, string | number>
  versions: Record<string, string>
  data: { events: number }
  measures: (Measure & { group: string; verdict: string })[]
}

const sizes = ['1M', '10M']
const results = sizes.flatMap((size) => {
  const file = join(import.meta.dirname, 'results', `${size}.json`)
  return existsSync(file) ? [{ size, result: JSON.parse(readFileSync(file, 'utf8')) as Result }] : []
})

/** Median and 95th percentile where there are samples; what is missed stands out. */
function measured(of: Result['measures'][number] | undefined): string {
  if (!of) return ''
  const told = of.summary ? `${figure(of.summary.p50)} / ${figure(of.summary.p95)}` : figure(of.value)
  const refused = of.refusal === undefined ? '' : ` ${of.refusal}`
  return of.verdict === 'missed' ? `**${told}${refused}**` : told
}

function floorOf(of: Result['measures'][number] | undefined): string {
  const floor = of?.floor
  if (!floor) return ''
  return floor.summary ? `${figure(floor.summary.p50)} / ${figure(floor.summary.p95)}` : figure(floor.value)
}

const names = new Map(results.flatMap(({ result }) => result.measures.map(({ group, name }) => [name, group])))
for (const group of new Set(names.values())) {
  console.log(`\n### ${group}\n`)
  console.log(`| measure | ${results.map(({ size }) => `${size} | floor`).join(' | ')} | goal |`)
  console.log(`| --- | ${results.map(() => '--- | ---').join(' | ')} | --- |`)
  for (const [name, of] of names) {
    if (of !== group) continue
    const found = results.map(({ result }) => result.measures.find((measure) => measure.name === name))
    const [first] = found.filter((measure) => measure !== undefined)
    const goal = first?.goal
    const wanted = goal ? ('atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`) : ''
    const cells = found.flatMap((measure) => [measured(measure), floorOf(measure)])
    console.log(`| ${name} (${first?.unit}) | ${cells.join(' | ')} | ${wanted} |`)
  }
}
for (const { size, result } of results) {
  const { cpu, cores, memoryGb, load, commit } = result.machine
  const { postgresql, database, events } = result.versions
  console.log(
    `\n${size}: ${cpu}, ${cores} cores, ${memoryGb} GB, load ${load} before the start; PostgreSQL ${postgresql}, database ${database}, of it events with their indexes ${events}; commit ${commit}.`,
  )
}

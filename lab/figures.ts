import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineSuffix, engines, UsageError } from './arguments.ts'
import type { Result as FaultResult } from './faults/script/verdict.ts'
import { figure, type Measure } from './measure/measure.ts'
import { resultsFolder } from './repository.ts'

/** The file that a run of `bench` writes. */
interface BenchResult {
  at: string
  machine: Record<string, string | number>
  /** Absent for the console. */
  versions?: Record<string, string>
  measures: MeasureResult[]
}

type MeasureResult = Measure & { group: string; verdict: string }

const sizes = ['1M', '10M']

/** Prints all last results as Markdown tables. docs/performance.md and docs/reliability.md show a part of them. */
export function printFigures(args: readonly string[]): void {
  const unknown = args.filter((arg) => !['bench', 'faults'].includes(arg))
  if (unknown.length > 0) throw new UsageError('Usage: npm run lab -- figures [bench|faults]')
  if (!args.includes('faults')) printBench()
  if (!args.includes('bench')) printFaults()
}

/** Prints the results of each engine, and those of the console. */
function printBench(): void {
  for (const engine of engines) {
    printRuns(
      engine,
      sizes.map((size) => ({ size, file: `${size}${engineSuffix(engine)}.json` })),
    )
  }
  printRuns('web', [{ size: 'console', file: 'web.json' }])
}

function printRuns(title: string, runs: readonly { size: string; file: string }[]): void {
  const results = runs.flatMap(({ size, file }) => {
    const path = join(resultsFolder, file)
    return existsSync(path) ? [{ size, result: JSON.parse(readFileSync(path, 'utf8')) as BenchResult }] : []
  })
  if (results.length === 0) return
  console.log(`\n## ${title}`)
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
      const limit = goal ? ('atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`) : ''
      const cells = found.flatMap((measure) => [measured(measure), floorOf(measure)])
      console.log(`| ${name} (${first?.unit}) | ${cells.join(' | ')} | ${limit} |`)
    }
  }
  for (const { size, result } of results) {
    const { cpu, cores, memoryGb, load, commit } = result.machine
    const machine = `${cpu}, ${cores} cores, ${memoryGb} GB, load ${load} before the start`
    const { postgresql, database, events } = result.versions ?? {}
    const stored = postgresql
      ? ` PostgreSQL ${postgresql}, database ${database}, of it events with their indexes ${events};`
      : ''
    console.log(`\n${size}: ${machine};${stored} commit ${commit}.`)
  }
}

/** Median and 95th percentile where there are samples. A missed goal is printed in bold. */
function measured(measure: MeasureResult | undefined): string {
  if (!measure) return ''
  const { summary, value, refusal, verdict } = measure
  const text = summary ? `${figure(summary.p50)} / ${figure(summary.p95)}` : figure(value)
  return verdict === 'missed' ? `**${text}${refusal === undefined ? '' : ` ${refusal}`}**` : text
}

function floorOf(measure: MeasureResult | undefined): string {
  const floor = measure?.floor
  if (!floor) return ''
  return floor.summary ? `${figure(floor.summary.p50)} / ${figure(floor.summary.p95)}` : figure(floor.value)
}

/** Checks that have a column of their own, or that are met in every run. */
const withoutGoalText = new Set([
  'lost',
  'duplicate',
  'unsent at the end',
  'rejected',
  'the server was never restarted',
])

function printFaults(): void {
  const folder = join(resultsFolder, 'faults')
  const results = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as FaultResult)
  console.log('\n| script | sent | acknowledged | stored | lost | duplicate | goals: measured (wanted) | RSS MB |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const { name, figures, checks, passed } of results) {
    const figureOf = (title: string) =>
      String(checks.find((check) => check.name === title)?.figure ?? figures[title] ?? '–')
    const others = checks.filter((check) => !withoutGoalText.has(check.name))
    // Counts of what must not happen are added up, not listed, where they are 0.
    const isNil = (check: FaultResult['checks'][number]) => check.goal === '0' && check.figure === 0
    const nil = others.filter(isNil).length
    const goals = others
      .filter((check) => !isNil(check))
      .map((check) => {
        const text = `${check.name}: ${check.figure} (${check.goal})`
        return check.passed ? text : `**${text}**`
      })
    if (nil > 0) goals.push(`${nil} ${nil === 1 ? 'count' : 'counts'} of what must not happen: 0`)
    const cells = ['sent', 'acknowledged', 'stored', 'lost', 'duplicate'].map(figureOf)
    const memory = Math.round(Number(figures['peak RSS of the server MB'] ?? 0))
    console.log(`| \`${name}\`${passed ? '' : ' (missed)'} | ${[...cells, goals.join('; '), memory].join(' | ')} |`)
  }
  const [first] = results
  if (first) {
    const { cpu, cores, memoryGB, node } = first.machine
    const commits = [...new Set(results.map(({ commit }) => commit))].join(', ')
    console.log(`\n${cpu}, ${cores} cores, ${memoryGB} GB, Node ${node}; commit ${commits}.`)
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from '../../measure/machine.ts'
import { percentile } from '../../measure/percentiles.ts'
import { resultsFolder } from '../../repository.ts'
import type { Comparison } from '../ledger/comparison.ts'

type Figure = string | number | boolean | null

interface Check {
  name: string
  figure: Figure
  goal: string
  passed: boolean
}

const folder = join(resultsFolder, 'faults')

/** The file that keeps the result of a fault. */
export function resultFile(name: string): string {
  return join(folder, `${name}.json`)
}

/** The result of a fault: checks with a goal, and figures for information. It is printed and kept as JSON. */
export class Verdict {
  readonly #name: string
  readonly #parameters: Record<string, Figure>
  readonly #checks: Check[] = []
  readonly #figures: Record<string, Figure> = {}
  readonly #began = new Date()

  constructor(name: string, parameters: Record<string, Figure>) {
    this.#name = name
    this.#parameters = parameters
  }

  /** Adds a goal that must be met. */
  check(name: string, { figure, goal, passed }: Omit<Check, 'name'>): void {
    this.#checks.push({ name, figure, goal, passed })
  }

  atMost(name: string, { figure, most, unit = '' }: { figure: number | null; most: number; unit?: string }): void {
    const shown = figure === null ? null : Math.round(figure * 10) / 10
    this.check(name, {
      figure: shown,
      goal: most === 0 ? '0' : `≤ ${most}${unit && ` ${unit}`}`,
      passed: figure !== null && figure <= most,
    })
  }

  figure(name: string, value: Figure): void {
    this.#figures[name] = typeof value === 'number' ? Math.round(value * 10) / 10 : value
  }

  /** Adds the checks that every fault has: nothing acknowledged is lost, nothing is stored twice. */
  compared({ sent, acknowledged, stored, lost, duplicate }: Comparison): void {
    this.figure('sent', sent)
    this.figure('acknowledged', acknowledged)
    this.figure('stored', stored)
    this.atMost('lost', { figure: lost.length, most: 0 })
    this.atMost('duplicate', { figure: duplicate.length, most: 0 })
    for (const name of lost.slice(0, 5)) console.log(`  lost: ${name}`)
    for (const name of duplicate.slice(0, 5)) console.log(`  duplicate: ${name}`)
  }

  percentiles(name: string, samples: readonly number[]): void {
    this.figure(`${name} p50 ms`, percentile(samples, 0.5))
    this.figure(`${name} p95 ms`, percentile(samples, 0.95))
    this.figure(`${name} max ms`, percentile(samples, 1))
  }

  memory(peakRss: number): void {
    this.figure('peak RSS of the server MB', peakRss / 1e6)
  }

  get passed(): boolean {
    return this.#checks.every(({ passed }) => passed)
  }

  /** Prints the table and writes lab/results/faults/<name>.json. */
  conclude(): void {
    const width = Math.max(...[...this.#checks.map(({ name }) => name), ...Object.keys(this.#figures)].map(lengthOf))
    console.log(`\n${this.#name}`)
    for (const [name, value] of Object.entries(this.#figures)) console.log(`       ${name.padEnd(width)}  ${value}`)
    for (const { name, figure, goal, passed } of this.#checks) {
      console.log(`  ${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(width)}  ${figure}  (${goal})`)
    }
    console.log(`  ${this.passed ? 'PASSED' : 'FAILED'}\n`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(resultFile(this.#name), `${JSON.stringify(this.#result(), null, 2)}\n`)
  }

  #result(): Result {
    const { cpu, cores, memoryGb, node, commit } = describeMachine()
    return {
      name: this.#name,
      passed: this.passed,
      at: this.#began.toISOString(),
      seconds: Math.round((Date.now() - this.#began.getTime()) / 1000),
      commit,
      machine: { cpu, cores, memoryGB: memoryGb, node },
      parameters: this.#parameters,
      figures: this.#figures,
      checks: this.#checks,
    }
  }
}

/** The content of a file in lab/results/faults. */
export interface Result {
  name: string
  passed: boolean
  at: string
  seconds: number
  commit: string
  machine: { cpu: string; cores: number; memoryGB: number; node: string }
  parameters: Record<string, Figure>
  figures: Record<string, Figure>
  checks: Check[]
}

function lengthOf(text: string): number {
  return text.length
}

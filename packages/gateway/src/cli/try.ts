import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { ConfigurationError, outboxDirOf, typedFile } from '../config.ts'
import type { Mapped, Outcome } from '../mapping/map-facts.ts'
import type { Facts } from '../mapping/templates.ts'
import { Line } from '../report.ts'
import type { SourceContext } from '../source.ts'
import { readSourceFile } from '../source-file.ts'
import { sourceOf } from '../sources/kinds.ts'

/**
 * `npm run gateway:try -- file [source …]`: connects the sources and prints what the mapping makes of each message,
 * until it is interrupted. Nothing is sent, kept, or acknowledged.
 */

/** Facts are printed up to this length; a message may have megabytes. */
const LONGEST_FACTS = 600

const print = (text: string) => process.stdout.write(`${text}\n`)

try {
  const [file, ...names] = parseArgs({ allowPositionals: true }).positionals
  if (file === undefined) throw new ConfigurationError('Name the file: npm run gateway:try -- sources.yaml')
  const all = await readSourceFile(typedFile(file))
  for (const name of names)
    if (!all.some((source) => source.name === name))
      throw new ConfigurationError(`${file} has no source ${name}, only ${all.map((one) => one.name).join(', ')}.`)
  const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name))
  const started = await Promise.allSettled(chosen.map((config) => sourceOf(config)(contextOf(config.name))))
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  started.forEach((one, index) => {
    // A source that can't start says why in a sentence.
    if (one.status === 'rejected') print(`${chosen[index]?.name} is down. ${reasonOf(one.reason)}`)
  })
  if (running.length === 0) throw new ConfigurationError('No source can start.')
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  print('Messages are shown until Ctrl+C. Nothing is sent.')
  await interrupted
  await Promise.all(running.map((source) => source.stop()))
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function contextOf(source: string): SourceContext {
  return {
    name: 'trial',
    report: async () => undefined,
    keep: async () => undefined,
    statusOf: () => undefined,
    notes: new Map(),
    link: (name, state, reason) => print(`${name} is ${state}.${reason === undefined ? '' : ` ${reason}`}`),
    unmatched: () => undefined,
    fault: (sentence) => print(`${source}: ${sentence}`),
    knowsCounts: () => true,
    certificates: join(outboxDirOf(process.env), 'pki'),
    isTrial: true,
    onMapped: (facts, mapped) => print(describe(source, facts, mapped)),
    line: new Line(),
    log: pino({ level: 'warn' }, pino.destination(2)),
  }
}

function describe(source: string, facts: Facts, { rule, outcomes }: Mapped): string {
  const message = JSON.stringify(facts)
  const shown = message.length > LONGEST_FACTS ? `${message.slice(0, LONGEST_FACTS)}…` : message
  if (rule === null) return `${source}: no rule matches ${shown}`
  const made = outcomes.length === 0 ? ['nothing'] : outcomes.map(inWords)
  return [`${source}: rule ${rule + 1} matches ${shown}`, ...made.map((one) => `  → ${one}`)].join('\n')
}

function inWords({ kind, ...rest }: Outcome): string {
  return `${kind} ${JSON.stringify(rest)}`
}

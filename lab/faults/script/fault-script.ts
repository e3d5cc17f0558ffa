import { parseArgs } from 'node:util'
import { Verdict } from './verdict.ts'
import { Workplace } from './workplace.ts'

type Parameters = Record<string, number>

interface Script<P extends Parameters> {
  name: string
  /** The defaults; each can be set by --<name> <number>. */
  parameters: P
  run(fixture: { workplace: Workplace; verdict: Verdict; parameters: P }): Promise<void>
}

/**
 * Runs one fault: reads its parameters, ends everything that it started whatever happens, prints and keeps the verdict,
 * and exits with 1 when a goal was missed.
 */
export async function runFault<P extends Parameters>({ name, parameters: defaults, run }: Script<P>): Promise<never> {
  const parameters = readParameters(defaults)
  const workplace = new Workplace(name)
  const verdict = new Verdict(name, parameters)
  let code = 1
  try {
    await run({ workplace, verdict, parameters })
    verdict.conclude()
    code = verdict.passed ? 0 : 1
  } catch (error) {
    console.error(`${name} could not be carried out:`, error)
  }
  await workplace.end()
  process.exit(code)
}

function readParameters<P extends Parameters>(defaults: P): P {
  const options = Object.fromEntries(Object.keys(defaults).map((key) => [key, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({ options })
    const given = Object.entries(values).map(([key, value]) => {
      const number = Number(value)
      if (!Number.isFinite(number) || number < 0) throw new Error(`--${key} must be a number, and is "${value}".`)
      return [key, number] as const
    })
    return { ...defaults, ...Object.fromEntries(given) }
  } catch (error) {
    const usage = Object.entries(defaults).map(([key, value]) => `--${key} ${value}`)
    console.error(`${(error as Error).message}\nParameters with their defaults: ${usage.join(' ')}`)
    process.exit(2)
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../arguments.ts'
import { repositoryRoot } from '../repository.ts'
import { assumed, measured, scalingTable } from './model.ts'

const page = join(repositoryRoot, 'docs/scaling.md')
const place = /(?<=<!-- table: scaling -->\n)[^]*?(?=<!-- \/table -->)/

/** Returns the table in docs/scaling.md. */
export function tableOnPage(): string | undefined {
  return place.exec(readFileSync(page, 'utf8'))?.[0].trimEnd()
}

/** Prints what to run for how many instruments, and every figure that it is computed from; --write also writes the page. */
export function runScaling(args: readonly string[]): void {
  let write: boolean | undefined
  try {
    write = parseArgs({ args: [...args], options: { write: { type: 'boolean' } } }).values.write
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: npm run lab -- scaling [--write]`, { cause: error })
  }
  console.log(scalingTable())
  for (const [title, figures] of Object.entries({ measured, assumed })) {
    console.log(`\n${title}`)
    for (const [name, { value, source }] of Object.entries(figures))
      console.log(`  ${name.padEnd(26)} ${String(Number(value.toPrecision(3))).padEnd(12)} ${source}`)
  }
  if (write)
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(place, () => `${scalingTable()}\n`),
    )
}

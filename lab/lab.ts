/** `npm run bench:generate -- --events 10000000 --data <directory>` */
import { readGenerateArguments, UsageError } from './arguments.ts'
import { endOnSignals, fail } from './console.ts'
import { generate } from './generate/generate.ts'

endOnSignals()
try {
  await generate({ ...readGenerateArguments(process.argv.slice(2)), say: (line) => console.log(line) })
} catch (error) {
  fail(error, UsageError)
}

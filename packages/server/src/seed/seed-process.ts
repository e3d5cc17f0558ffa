import { createInterface } from 'node:readline'
import { connectDatabase, OperatorError } from '../db/connect.ts'
import { createLog } from '../platform/log.ts'
import { seedDemo } from './seed-demo.ts'
import type { DemoOrder } from './start-demo.ts'

/** The process that creates the demo data (start-demo.ts). The first line of its standard input contains the order. */
const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  make(JSON.parse(line) as DemoOrder).then(
    () => process.exit(0),
    (error: unknown) => {
      const known = error instanceof OperatorError
      process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`)
      process.exit(1)
    },
  )
})
// The parent process is gone; the transaction ends with the connection.
lines.once('close', () => process.exit(1))

async function make({ connection, dataDir, now, logLevel, brand }: DemoOrder): Promise<void> {
  const database = await connectDatabase({ connection, poolSize: 2 })
  await seedDemo({ database, now: new Date(now), dataDir, log: createLog(logLevel), brand })
  await database.close()
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ConnectionTarget, type Db, OperatorError } from '../db/connect.ts'
import type { MailBrand } from '../features/messages/mail-frame.ts'
import { isEmpty } from './demo-fixture.store.ts'

/** What the process that makes the demo data is told, as JSON. */
export interface DemoOrder {
  connection: ConnectionTarget
  dataDir: string
  /** ISO 8601. */
  now: string
  logLevel: string
  brand: MailBrand
}

/** Old objects are events and what people did about them; without a limit the collector lets rubbish lie to twice that. */
const flags = ['--max-old-space-size=256']
const program = fileURLToPath(new URL('./seed-process.ts', import.meta.url))

/**
 * Fills an empty database with the demo data of `seedDemo`, in a process of its own that ends with this one. Throws
 * OperatorError when that fails; the database is empty then.
 *
 * A process, because memory that was touched once is rarely given back. Of the server at rest after a first start: made
 * in itself 454 MB, in a thread 266 MB, in a process what every later start takes.
 */
export async function startDemo(db: Db, order: DemoOrder): Promise<void> {
  if (!(await isEmpty(db))) return
  const child = spawn(process.execPath, [...flags, program], { stdio: ['pipe', 'inherit', 'inherit'] })
  // An order to a process that is gone already; its end says so.
  child.stdin.on('error', () => undefined)
  // The pipe stays open: its end tells that this process is gone.
  child.stdin.write(`${JSON.stringify(order)}\n`)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code === 0) return
  throw new OperatorError(
    `The demo data could not be made (${signal ?? `code ${code}`}). Nothing was kept of them: start again, or start empty with DEMO=off.`,
  )
}

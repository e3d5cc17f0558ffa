import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { type Config, ConfigurationError, isLoopback, misspelledSettings, readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import { systemClock } from './platform/clock.ts'
import { refuseTakenAddress } from './platform/http/address-taken.ts'
import { createLog, type Log } from './platform/log.ts'
import { readRelease } from './platform/release.ts'
import { refuseDemoUsers } from './seed/demo-people.ts'
import { startDemo } from './seed/start-demo.ts'

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))
const helpRoot = fileURLToPath(new URL('../../web/help-site/dist', import.meta.url))

/** Longest time for in-flight requests to finish after a stop. */
const DRAIN_MS = 10_000

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  for (const sentence of misspelledSettings(process.env)) log.warn({ notice: true }, `Warning: ${sentence}`)
  await run(config, log)
} catch (error) {
  // Errors that an operator can fix are printed as one sentence, all others with their stack.
  process.stderr.write(
    `${isForOperator(error) ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exit(1)
}

async function run(config: Config, log: Log): Promise<void> {
  const version = await readRelease()
  const opened = await openDatabase(config, log)
  const { database } = opened
  // Checked after the lock of the data directory: starting the same server twice should report that, not suggest
  // another port.
  await refuseTakenAddress(config)
  if (config.demo !== 'off') {
    const { dataDir, logLevel, product, publicUrl, supportEmail } = config
    const brand = { product, publicUrl, supportEmail }
    const now = systemClock.now().toISOString()
    await startDemo(database.db, { connection: opened.owner, dataDir, now, logLevel, brand })
  } else if (!isLoopback(config.host)) await refuseDemoUsers(database.db, config)
  const app = await createApp({
    config,
    database,
    clock: systemClock,
    log,
    version,
    ...(existsSync(`${webRoot}/index.html`) && { webRoot }),
    ...(existsSync(`${helpRoot}/index.html`) && { helpRoot }),
  })
  const address = await app.http.listen({ host: config.host, port: config.port })
  if (config.demo === 'public') {
    log.warn({ notice: true }, 'Warning: demo users with a published password can be reached from other machines.')
  }

  let stopping = false
  const stop = async (why: string, code = 0) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    await app.stop()
    await opened.close()
    process.exit(code)
  }
  const stopOn = (why: string, code?: number) => {
    stop(why, code).catch((error: unknown) => {
      log.fatal({ err: error }, 'the stop failed')
      process.exit(1)
    })
  }
  process.on('SIGINT', () => stopOn('SIGINT'))
  process.on('SIGTERM', () => stopOn('SIGTERM'))
  if (config.endWithParent) process.stdin.on('end', () => stopOn('the start command ended')).resume()
  log.info({ address, version, environment: config.environment, demo: config.demo }, 'ready')
  opened.lost.then(
    () => {
      if (!stopping) log.fatal('the embedded database ended')
      stopOn('the embedded database ended', 1)
    },
    () => undefined,
  )
}

function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigurationError || (error instanceof Error && 'forOperator' in error)
}

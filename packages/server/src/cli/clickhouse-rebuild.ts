import { connectClickhouse } from '../clickhouse/clickhouse.ts'
import { EventFeed } from '../clickhouse/event-feed.ts'
import { OperatorError } from '../db/connect.ts'
import { startLongReads } from '../db/replica/long-reads.ts'
import { createLog } from '../platform/log.ts'
import { refuseArguments, runCommand } from './command.ts'
import { count, secondsSince, showProgress } from './progress.ts'

/** `npm run clickhouse:rebuild`: empties the events in ClickHouse and copies all again, also beside a running server. */
await runCommand(async ({ database }, config) => {
  if (config.clickhouse === null) throw new OperatorError('CLICKHOUSE_URL is not set, so there is nothing to rebuild.')
  const clickhouse = await connectClickhouse(config.clickhouse)
  const log = createLog('silent')
  const reads = await startLongReads({ database, replica: config.replica, log })
  const feed = new EventFeed({ clickhouse, database, reads, logRetentionDays: config.logRetentionDays, log })
  const started = performance.now()
  const progress = showProgress()
  progress.stage('Copying')
  try {
    const events = await feed.rebuild((rows) => progress.at({ table: 'service_event', rows }))
    progress.clear()
    process.stdout.write(`${count(events)} events copied to ClickHouse in ${secondsSince(started)}.\n`)
  } finally {
    progress.clear()
    await feed.stop()
    await reads.stop()
    await clickhouse.close()
  }
  return 0
}, refuseArguments)

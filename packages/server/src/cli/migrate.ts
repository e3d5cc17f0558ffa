import { migrate } from '../db/migrate/migrate.ts'
import { reachServer } from '../db/open.ts'
import { createLog } from '../platform/log.ts'
import { endWith, refuseArguments } from './command.ts'

/**
 * `npm run migrate`: brings the database to the schema of this release, as each server does when it starts. For an
 * upgrade that should fail before the first new server starts, not with it.
 */
await endWith(async (config) => {
  refuseArguments()
  const server = await reachServer(config, createLog('silent'))
  try {
    const applied = await migrate(server.owner)
    const what = applied.length === 0 ? 'nothing to apply' : `applied ${applied.join(', ')}`
    process.stdout.write(`The schema is up to date: ${what}.\n`)
    return 0
  } finally {
    await server.stop()
  }
})

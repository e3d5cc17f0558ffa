import { GATEWAY_NAME } from '@benchwatch/contract/patterns'
import { OperatorError } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { addGatewayKeys, gatewayExists } from '../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../features/ingest/gateway-keys.ts'
import { systemClock } from '../platform/clock.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run gateway:key -- <gateway>
Creates a new key for a registered gateway and prints it once. Existing keys stay valid until the new one is used.`

/** `npm run gateway:key -- <gateway>`: prints only the key to standard output, so that a script can read it. */
await runCommand(async ({ database }) => {
  const [gateway, ...more] = process.argv.slice(2)
  if (gateway === undefined || more.length > 0) throw new OperatorError(USAGE)
  if (!GATEWAY_NAME.test(gateway) || !(await gatewayExists(database.db, { name: gateway, scope: 'all' }))) {
    throw new OperatorError(
      `There is no gateway "${gateway}". Register it first (PUT /api/registry/v1/gateways/<name>), or check the name.`,
    )
  }
  const { key, hash } = createGatewayKey()
  await inTransaction(database.db, (trx) =>
    addGatewayKeys(trx, {
      keys: [{ gateway, hash }],
      actor: { type: 'command', name: 'gateway:key' },
      at: systemClock.now(),
    }),
  )
  process.stdout.write(`${key}\n`)
  process.stderr.write(
    `This is the new key of ${gateway}. It is shown only once; its first use revokes the earlier keys.\n`,
  )
  return 0
})

import { verifyAuditLog } from '../features/audit/audit.queries.ts'
import { describeFinding } from '../features/audit/chains.ts'
import { refuseArguments, runCommand } from './command.ts'

/** `npm run audit:verify`: recomputes the audit log and lists every row and seal that was changed or removed. */
await runCommand(async ({ database }) => {
  const { rows, seals, lastSeal, findings } = await verifyAuditLog(database.db)
  if (findings.length === 0) {
    process.stdout.write(`The audit log is intact: ${rows} rows, ${seals} seals.\n`)
    if (lastSeal !== null) process.stdout.write(`Last seal: ${lastSeal}\n`)
    return 0
  }
  for (const finding of findings) process.stderr.write(`${describeFinding(finding)}\n`)
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  process.stderr.write(`The audit log is NOT intact: ${count} in ${rows} rows, ${seals} seals.\n`)
  return 1
}, refuseArguments)

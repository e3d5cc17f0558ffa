import { Outbox } from '../outbox.ts'
import { aLog, anAlarm } from './reports.ts'

/**
 * Fills the outbox of the directory in its argument without end, and prints the sequence of each item once the outbox
 * has confirmed it. The test kills this program.
 */
const outbox = await Outbox.open({
  directory: process.argv[2] ?? '',
  gateway: 'GW-UPP-01',
  maxBytes: 1e9,
  machineRun: 'run-1',
})
for (let round = 0; ; round++) {
  const kept = await Promise.all([
    outbox.append(aLog(`line ${round} ${'x'.repeat(400)}`)),
    outbox.append(anAlarm(`alarm ${round}`)),
    outbox.append(aLog(`another line ${round}`)),
  ])
  process.stdout.write(`${kept.join('\n')}\n`)
}

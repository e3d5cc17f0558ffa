import { breakFourServers, fourServers } from '../cluster/break-four-servers.ts'
import { runFault } from '../script/fault-script.ts'

await runFault({
  name: 'four-servers',
  parameters: fourServers,
  run: (fault) => breakFourServers(fault, { hasNats: false }),
})

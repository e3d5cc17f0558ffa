import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoPassword, demoUsers } from '../../scripts/demo-users.ts'
import { startProgram } from '../../scripts/program.ts'
import { UsageError } from '../arguments.ts'
import { Workplace } from '../faults/script/workplace.ts'
import { buildConsole } from '../product/browser.ts'
import { refuseTakenPort } from '../product/taken-port.ts'
import { repositoryRoot } from '../repository.ts'
import { startCluster } from './cluster.ts'
import { installedHaproxy } from './haproxy.ts'
import { hasNats } from './nats-process.ts'

const USAGE = 'Usage: npm run lab -- cluster [--port 8080]'
const SIMULATOR_GRACE_MS = 5000

/** Runs four servers with demo data, the simulator and HAProxy until Ctrl-C, which also deletes their data. */
export async function runCluster(args: readonly string[]): Promise<void> {
  const port = readPort(args)
  installedHaproxy()
  await refuseTakenPort(port)
  buildConsole()
  const workplace = new Workplace('cluster')
  try {
    console.log('Starting PostgreSQL, four servers with demo data, and HAProxy: half a minute …')
    const { url, servers, postgres } = await startCluster(workplace, {
      port,
      hasNats: hasNats(),
      env: { DEMO: 'on' },
    })
    startSimulator(workplace, url)
    console.log(
      [
        '',
        `  Four servers are ready behind HAProxy: ${url}`,
        '',
        `  Demo users, all with the password ${demoPassword}`,
        ...demoUsers.map(({ userId, what }) => `    ${userId.padEnd(30)} ${what}`),
        '',
        `  Servers: ${servers.map((server) => server.url).join(', ')}; their processes: ${servers.map(({ life }) => life.pid).join(', ')}`,
        `  PostgreSQL ${postgres.version}; live messages go over ${hasNats() ? 'NATS' : 'PostgreSQL, because nats-server is not installed'}`,
        `  Logs and data: ${workplace.folder}`,
        '  Ctrl-C stops everything and deletes the data.',
        '',
      ].join('\n'),
    )
  } catch (error) {
    await workplace.end()
    throw error
  }
}

function readPort(args: readonly string[]): number {
  try {
    const { values } = parseArgs({ args: [...args], options: { port: { type: 'string', default: '8080' } } })
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('--port must be a port.')
    return port
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

/** Starts gateways that report through HAProxy. The first server has written their keys. */
function startSimulator(workplace: Workplace, url: string): void {
  const simulator = startProgram({
    name: 'simulator',
    script: join(repositoryRoot, 'packages/gateway/src/main.ts'),
    logFile: join(workplace.folder, 'simulator.log'),
    env: {
      ...process.env,
      BENCHWATCH_URL: url,
      DEMO_GATEWAYS: join(workplace.folder, 'server-1', 'demo-gateways.json'),
      OUTBOX_DIR: join(workplace.folder, 'outbox'),
    },
  })
  workplace.atEnd(() => simulator.stop(SIMULATOR_GRACE_MS))
}

import { mkdir } from 'node:fs/promises'
import { aFleet } from '@benchwatch/samples/fleet'
import { lastingSilences } from '@benchwatch/samples/simulator/outages'
import { postingsOf } from '@benchwatch/samples/simulator/postings'
import { pino } from 'pino'
import { ConfigurationError, type GatewayConfig, type GatewayKey, readConfig, readGatewayKeys } from './config.ts'
import { type RunningGateway, startGateway } from './gateway.ts'
import { OutboxError } from './outbox.ts'
import type { GatewaySource } from './run-source.ts'
import { readSourceFile } from './source-file.ts'
import { type SourceConfig, sourceOf } from './sources/kinds.ts'
import { type SimulatorOptions, simulator } from './sources/simulator.ts'

try {
  await run(readConfig(process.env))
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof OutboxError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run(config: GatewayConfig): Promise<void> {
  const log = pino({ name: 'gateway', level: config.logLevel })
  const known = await readGatewayKeys(config.gateways)
  // The outbox holds data about customers' instruments, so only this user may read it.
  await mkdir(config.outboxDir, { recursive: true, mode: 0o700 })
  const simulated = config.simulator && simulatedFleet(config.simulator.seed)
  const keys = known.filter(({ name }) => !simulated?.silences.gateways.has(name))
  const configured = config.sourcesFile ? await readSourceFile(config.sourcesFile) : []
  requireGateways(configured, keys)
  const sourcesFor = (gateway: string): GatewaySource[] => [
    ...(config.simulator && simulated ? [simulatorSource({ ...config.simulator, postings: simulated.postings })] : []),
    ...configured.filter((source) => (source.gateway ?? keys[0]?.name) === gateway).map(gatewaySource),
  ]
  // A request to end may come during the start and must not be lost.
  const endReason = whenAskedToEnd(config.endWithParent)
  const running: RunningGateway[] = []
  try {
    for (const gateway of keys)
      running.push(await startGateway({ ...config, gateway, sources: sourcesFor(gateway.name), log }))
    log.info(greeting(config, keys))
    log.info(`Ending: ${await endReason}.`)
  } finally {
    await Promise.all(running.map((gateway) => gateway.stop()))
    // An open standard input would keep the process alive.
    if (config.endWithParent) process.stdin.destroy()
  }
}

/** Throws ConfigurationError if a source doesn't say which of several gateways reports, or names another one. */
function requireGateways(sources: readonly SourceConfig[], keys: readonly GatewayKey[]): void {
  const names = keys.map(({ name }) => name)
  for (const { name, gateway } of sources)
    if (gateway === undefined ? names.length > 1 : !names.includes(gateway))
      throw new ConfigurationError(
        `The source ${name} needs 'gateway', the name of one that this process runs: ${names.slice(0, 10).join(', ')}.`,
      )
}

function gatewaySource(config: SourceConfig): GatewaySource {
  const { name, kind, lostAfter, instruments = [] } = config
  return { name, kind, start: sourceOf(config), lostAfterMs: lostAfter, instruments, isSynced: true }
}

function simulatorSource(options: SimulatorOptions): GatewaySource {
  const start = simulator(options)
  return { name: 'simulator', kind: 'simulator', start, lostAfterMs: 60_000, instruments: [], isSynced: false }
}

/** The instruments of the demo's fleet, without those that stay lost. */
function simulatedFleet(seed: string) {
  const fleet = aFleet({ seed })
  const silences = lastingSilences(fleet, new Date())
  const postings = postingsOf(fleet).filter(({ installedProductId }) => !silences.instruments.has(installedProductId))
  return { silences, postings }
}

function greeting(config: GatewayConfig, keys: readonly GatewayKey[]): string {
  const what = keys.length === 1 ? `Gateway ${keys[0]?.name} reports` : `${keys.length} gateways report`
  const how = config.simulator ? ', with simulated instruments' : ''
  return `${what} to ${config.serverUrl}${how}.`
}

/** Waits for a signal or, when the start command holds the other end of standard input, for its end. */
function whenAskedToEnd(endWithParent: boolean): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
    if (!endWithParent) return
    const ended = () => resolve('the program that started it has ended')
    process.stdin.once('end', ended).once('error', ended).resume()
  })
}

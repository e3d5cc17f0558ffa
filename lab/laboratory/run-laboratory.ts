import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '../../scripts/program.ts'
import { readLaboratoryArguments } from '../arguments.ts'
import { freePort, Product } from '../faults/product/product.ts'
import { Workplace } from '../faults/script/workplace.ts'
import { buildConsole } from '../product/browser.ts'
import { refuseTakenPort } from '../product/taken-port.ts'
import { repositoryRoot } from '../repository.ts'
import { type Instrument, installedPrograms, type Ports, startInstruments } from './instruments.ts'
import { administrator, registerLaboratory } from './registration.ts'

const GATEWAY_GRACE_MS = 5000

/** Runs the product, a gateway and four simulated instruments until Ctrl-C, which also deletes their data. */
export async function runLaboratory(args: readonly string[]): Promise<void> {
  const { port, every } = readLaboratoryArguments(args)
  installedPrograms()
  if (port !== 0) await refuseTakenPort(port)
  buildConsole()
  const workplace = new Workplace('laboratory')
  try {
    console.log('Starting the product, a gateway and four instruments: half a minute …')
    const product = await Product.start(workplace, { ...(port !== 0 && { port }) })
    const registered = await registerLaboratory(product)
    const [freezer, bioreactor, broker, informs] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const ports = { freezer, bioreactor, broker, informs }
    const instruments = await startInstruments(workplace, ports)
    startGateway(workplace, { url: product.url, ...registered, ports })
    await Promise.all(instruments.map(({ setAlarm }) => setAlarm(true)))
    console.log(
      [
        '',
        `  The laboratory is ready: ${product.url}`,
        `  Sign in as ${administrator.login} with the password ${administrator.password}`,
        '',
        `  All four instruments raised an alarm. Every ${every} s one of them clears or raises its own.`,
        '  The gateway follows lab/laboratory/gateway.yaml, with free ports instead of those of the file.',
        `  Logs and data: ${workplace.folder}`,
        '  Ctrl-C stops everything and deletes the data.',
        '',
      ].join('\n'),
    )
    changeInTurn(workplace, instruments, every * 1000)
  } catch (error) {
    await workplace.end()
    throw error
  }
}

interface GatewayInput {
  url: string
  gateway: string
  key: string
  ports: Ports
}

function startGateway(workplace: Workplace, { url, gateway, key, ports }: GatewayInput): void {
  const sources = join(workplace.folder, 'gateway.yaml')
  const example = readFileSync(join(import.meta.dirname, 'gateway.yaml'), 'utf8')
  const actual = new Map([
    ['4840', ports.freezer],
    ['4841', ports.bioreactor],
    ['1883', ports.broker],
    ['1162', ports.informs],
  ])
  writeFileSync(
    sources,
    example.replace(/(?<=127\.0\.0\.1:)\d+/g, (port) => String(actual.get(port) ?? port)),
  )
  const program = startProgram({
    name: 'gateway',
    script: join(repositoryRoot, 'packages/gateway/src/main.ts'),
    logFile: join(workplace.folder, 'gateway.log'),
    env: {
      ...process.env,
      BENCHWATCH_URL: url,
      GATEWAY_NAME: gateway,
      GATEWAY_KEY: key,
      GATEWAY_SOURCES: sources,
      OUTBOX_DIR: join(workplace.folder, 'outbox'),
    },
  })
  workplace.atEnd(() => program.stop(GATEWAY_GRACE_MS))
}

/** Changes the alarm of one instrument after the other: the first round clears them, the next raises them. */
function changeInTurn(workplace: Workplace, instruments: readonly Instrument[], everyMs: number): void {
  let turn = 0
  const timer = setInterval(() => {
    const instrument = instruments[turn % instruments.length]
    const isActive = Math.floor(turn / instruments.length) % 2 === 1
    turn += 1
    if (instrument) void change(instrument, isActive)
  }, everyMs)
  workplace.atEnd(() => clearInterval(timer))
}

async function change({ name, setAlarm }: Instrument, isActive: boolean): Promise<void> {
  try {
    await setAlarm(isActive)
    console.log(`  ${name}: the alarm is ${isActive ? 'raised' : 'cleared'}.`)
  } catch (error) {
    console.error(`${name} can't send: ${(error as Error).message}`)
  }
}

/** `npm run lab -- <command>`: makes data, measures the product on them, and breaks it on purpose. */
import { spawnSync } from 'node:child_process'
import { UsageError } from './arguments.ts'

interface Command {
  usage: string
  /** One line for the list of commands. */
  summary: string
  run(args: readonly string[]): Promise<void> | void
}

const commands: Record<string, Command> = {
  generate: {
    usage: 'generate [--events 1000000]',
    summary: 'makes a data directory with that many service events',
    run: async (args) => (await import('./generate/generate.ts')).runGenerate(args),
  },
  bench: {
    usage: 'bench [group …]',
    summary: 'measures the product on such a data directory, all groups or these',
    run: async (args) => (await import('./bench/bench.ts')).runBench(args),
  },
  web: {
    usage: 'web',
    summary: 'measures the files of the console and its paints in a browser',
    run: async (args) => (await import('./web.ts')).runWeb(args),
  },
  clicks: {
    usage: 'clicks',
    summary: 'counts the presses and keys of daily jobs in a browser, and times the answers',
    run: async (args) => (await import('./clicks.ts')).runClicks(args),
  },
  cluster: {
    usage: 'cluster [--port 8080]',
    summary: 'runs four servers behind HAProxy, with demo data, until Ctrl-C',
    run: async (args) => (await import('./cluster/run-cluster.ts')).runCluster(args),
  },
  laboratory: {
    usage: 'laboratory [--port 8080]',
    summary: 'runs the product, a gateway and four simulated instruments until Ctrl-C',
    run: async (args) => (await import('./laboratory/run-laboratory.ts')).runLaboratory(args),
  },
  consoles: {
    usage: 'consoles [--consoles 10000]',
    summary: 'measures live messages to many consoles over several servers, with each bus',
    run: async (args) => (await import('./consoles.ts')).runConsoles(args),
  },
  scaling: {
    usage: 'scaling [--write]',
    summary: 'computes what to run for how many instruments, for docs/scaling.md',
    run: async (args) => (await import('./scaling/run-scaling.ts')).runScaling(args),
  },
  faults: {
    usage: 'faults [fault …]',
    summary: 'breaks the product on purpose, in every way or in these',
    run: async (args) => (await import('./faults/script/run-faults.ts')).runFaults(args),
  },
  figures: {
    usage: 'figures [bench|faults]',
    summary: 'prints all last results as Markdown tables',
    run: async (args) => (await import('./figures.ts')).printFigures(args),
  },
  test: {
    usage: 'test [file …]',
    summary: 'checks the types of the lab and runs its tests',
    run: testLab,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
try {
  if (command) await command.run(args)
  else listCommands()
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 1
}

function listCommands(): void {
  if (name !== '') console.error(`The lab has no command "${name}".\n`)
  for (const { usage, summary } of Object.values(commands)) console.log(`npm run lab -- ${usage.padEnd(28)} ${summary}`)
  if (name !== '') process.exitCode = 2
}

/** Runs the script `test` of the lab's package.json. */
function testLab(files: readonly string[]): void {
  const { status } = spawnSync('npm', ['test', '--workspace', 'lab', '--', ...files], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}

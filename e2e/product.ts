import { type ChildProcess, spawn } from 'node:child_process'
import { constants, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** A running product of its own: its database, its port, its folder. */
export interface Product {
  baseUrl: string
  dataDir: string
  /** Runs one of the repository's commands, such as admin:create, against this product; gives what it printed. */
  command(script: string, ...args: string[]): Promise<{ code: number; output: string }>
  /** Key of a demo gateway, to report in its name. */
  gatewayKey(gateway: string): Promise<string>
  demoGateways(): Promise<{ gateway: string; key: string }[]>
  stop(): Promise<void>
}

/** The data directory of a product that has made its demo data; each worker goes on from a copy of it. */
export const demoDataDir = join(repository, 'test-results', 'demo')

interface Start {
  /** Added to the environment. */
  environment?: Record<string, string>
  /** A data directory to begin with a copy of; without, the product begins from nothing. */
  from?: string
  /** The data directory; by default a temporary folder that is deleted afterwards. */
  dataDir?: string
}

/** Starts the product as an operator would, on a free port, and waits until it is ready. */
export async function startProduct({ environment = {}, from, dataDir: kept }: Start = {}): Promise<Product> {
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'benchwatch-e2e-')))
  if (from !== undefined) await cp(from, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const variables = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    BENCHWATCH_PARENT: 'stdin',
    // A day. Journeys report in the name of few gateways; the others are not missing, and the demo's silent one stays silent.
    GATEWAY_SILENCE_SECONDS: '86400',
    // No journey asks a server outside.
    MAP_TILES_URL: 'off',
    // Receivers of webhooks run on this machine.
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    ...environment,
  }
  const server = spawn(process.execPath, [join(repository, 'packages/server/src/main.ts')], {
    cwd: repository,
    env: variables,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const baseUrl = await untilReady(server)
  const demoGateways = async () =>
    JSON.parse(await readFile(join(dataDir, 'demo-gateways.json'), 'utf8')) as { gateway: string; key: string }[]
  return {
    baseUrl,
    dataDir,
    demoGateways,
    async gatewayKey(gateway) {
      const found = (await demoGateways()).find((entry) => entry.gateway === gateway)
      if (!found) throw new Error(`No demo gateway ${gateway}`)
      return found.key
    },
    command(script, ...args) {
      return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(repository, 'packages/server/src/cli', `${script}.ts`), ...args], {
          cwd: repository,
          env: variables,
        })
        let output = ''
        child.stdout.on('data', (chunk: Buffer) => {
          output += chunk.toString()
        })
        child.stderr.on('data', (chunk: Buffer) => {
          output += chunk.toString()
        })
        child.on('error', reject)
        child.on('close', (code) => resolve({ code: code ?? 1, output }))
      })
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('close', resolve))
      server.stdin.end()
      await ended
      if (kept === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address that the server logs when it listens; what it said instead when it ends before. */
function untilReady(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    server.once('close', (code) => reject(new Error(`The server ended with ${code} before it was ready:\n${said}`)))
    if (!server.stdout) return
    createInterface({ input: server.stdout }).on('line', (line) => {
      said += `${line}\n`
      if (!line.startsWith('{')) return
      const entry = JSON.parse(line) as { msg?: string; address?: string }
      if (entry.msg === 'ready' && entry.address) resolve(entry.address)
    })
  })
}

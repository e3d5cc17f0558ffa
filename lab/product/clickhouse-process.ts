import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { UsageError } from '../arguments.ts'
import { repositoryRoot } from '../repository.ts'
import { apiClient } from './api-client.ts'

/** ClickHouse in a process of its own, as the product reaches it. */
export interface ClickhouseProcess {
  url: string
  pid: number
  /** Runs a statement and returns its answer as text. */
  ask(statement: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the engine of lab/clickhouse on a folder, which keeps its tables. */
export async function startClickhouseProcess(folder: string): Promise<ClickhouseProcess> {
  if (!existsSync(join(repositoryRoot, 'lab/clickhouse/node_modules/chdb'))) {
    throw new UsageError('The engine of ClickHouse is not installed: run npm ci in lab/clickhouse.')
  }
  await mkdir(folder, { recursive: true })
  const server = spawn(process.execPath, [join(repositoryRoot, 'lab/clickhouse/http-server.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  server.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((done) => server.once('close', done))
  const port = await new Promise<string>((ready, reject) => {
    createInterface({ input: server.stdout }).once('line', ready)
    void ended.then((code) => reject(new Error(`ClickHouse ended with ${code} before it was ready.`)))
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const client = apiClient({ baseUrl, connections: 1 })
  return {
    url: `${baseUrl}/default`,
    pid: server.pid ?? 0,
    async ask(statement) {
      const { status, text } = await client.send('POST', '/', statement)
      if (status !== 200) throw new Error(`ClickHouse answered ${status}: ${text}`)
      return text
    },
    async stop() {
      client.close()
      server.stdin.end()
      await ended
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Problem } from '@benchwatch/contract/errors'
import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { CallTypes } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import type { DatabaseHandle } from '../db/connect.ts'
import { createSession } from '../features/auth/session/session.store.ts'
import { fixedClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'

/** Default start time of tests; a Friday. */
export const TEST_NOW = new Date('2026-11-20T14:00:00.000Z')

interface Sent<N extends RouteName> {
  params?: CallTypes<Routes[N]>['params']
  query?: CallTypes<Routes[N]>['query']
  body?: CallTypes<Routes[N]>['body']
  headers?: Record<string, string>
}

/** Body of a successful answer; `problem` reads the same body as an error. */
export interface Answer<N extends RouteName> {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: CallTypes<Routes[N]>['answer']
  problem: Problem
}

export interface Caller {
  call<N extends RouteName>(name: N, sent?: Sent<N>): Promise<Answer<N>>
}

export interface TestApp extends Caller {
  app: App
  database: DatabaseHandle
  clock: ReturnType<typeof fixedClock>
  config: Config
  /** Moves the clock by milliseconds and lets the scheduled tasks run, as they would in that time. */
  pass(ms: number): void
  /** Everything logged so far, as JSON lines. */
  logged(): string
  /** Calls as this user, with a new session. */
  as(userId: number): Promise<Caller>
  /** Calls with these headers. */
  withHeaders(headers: Record<string, string>): Caller
  close(): Promise<void>
}

interface TestAppInput {
  now?: Date
  environment?: Record<string, string>
  logLevel?: string
  /** Folder of a built web app. */
  webRoot?: string
  /** Folder of a built help site. */
  helpRoot?: string
}

/**
 * Starts the whole server on the worker's database, without a port; answers are validated against the contract. Calls
 * go through the real HTTP stack by injection.
 */
export async function testApp(
  database: DatabaseHandle,
  { now, environment, logLevel, webRoot, helpRoot }: TestAppInput = {},
): Promise<TestApp> {
  const clock = fixedClock(now ?? TEST_NOW)
  const dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-test-'))
  // Tests move the clock by hours; silent gateways have their own test.
  const quiet = { DEMO: 'off', HOST: '127.0.0.1', GATEWAY_SILENCE_SECONDS: '0' }
  const config = readConfig({ ...quiet, DATA_DIR: dataDir, ...environment })
  let lines = ''
  const log = createLog(
    logLevel ?? 'info',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines += chunk.toString()
        done()
      },
    }),
  )
  const app = await createApp({
    config,
    database,
    clock,
    log,
    version: 'test',
    checkAnswers: true,
    ...(webRoot && { webRoot }),
    ...(helpRoot && { helpRoot }),
  })
  await app.http.ready()

  function withHeaders(common: Record<string, string>): Caller {
    return {
      async call(name, sent = {}) {
        const head = paths[name]
        const response = await app.http.inject({
          method: head.method,
          url: addressOf(head.path, sent.params, sent.query),
          headers: { ...common, ...sent.headers },
          ...(sent.body !== undefined && { payload: sent.body as object }),
        })
        const body = (response.body === '' ? null : JSON.parse(response.body)) as never
        return { status: response.statusCode, headers: response.headers, body, problem: body }
      },
    }
  }
  return {
    app,
    database,
    clock,
    config,
    pass(ms) {
      clock.advance(ms)
      app.wakeTasks()
    },
    logged: () => lines,
    withHeaders,
    call: withHeaders({}).call,
    async as(userId) {
      const { accessToken } = await createSession({ db: database.db, clock, config }, { userId })
      return withHeaders({ authorization: `Bearer ${accessToken}` })
    },
    async close() {
      await app.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the URL of a route with its parameters filled in. */
export function addressOf(path: string, params: unknown = {}, query: unknown = {}): string {
  const given = params as Record<string, string>
  const filled = path.replace(/:(\w+)|\*/g, (placeholder, name?: string) => {
    const value = given[name ?? '*']
    if (value === undefined) throw new Error(`${path} needs ${placeholder}`)
    return name ? encodeURIComponent(value) : value
  })
  const search = new URLSearchParams(
    Object.entries(query as Record<string, string | number | boolean | Date | undefined>).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  ).toString()
  return `/api${filled}${search ? `?${search}` : ''}`
}

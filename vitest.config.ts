import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { findInstalledPostgres, findInstalledProgram } from './scripts/installed/installed-program.ts'

/** Rooms without a browser and without a database. */
const plain = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['**/*.test.ts'], isolate: false },
})

const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const inServer = (path: string) => inRepository(`packages/server/${path}`)
const installedPostgres = findInstalledPostgres()

/**
 * Files that run once more on an external PostgreSQL, which has another major version: those that ask the most different
 * statements for their time, counted by pg_stat_statements. One of them calls every route. Passwords, mails and starting
 * processes are the same beside every server.
 */
const onExternalServer = [
  'src/db/**/*.test.ts',
  'src/event-index/index-search.test.ts',
  'src/seed/seed-demo.test.ts',
  'src/testing/access/access-matrix.test.ts',
  ...[
    'backoffice/backoffice.routes',
    'deletions/*.routes',
    'events/events.store',
    'events/search/*',
    'exports/exported-instruments.routes',
    'exports/exports.routes',
    'ingest/ingest.routes',
    'instruments/instrument-list.routes',
    'kpi/kpi-measures',
    'logs/*.routes',
    'notifications/*.service',
    'registry/registry-import.routes',
    'system/metrics.routes',
    'usage/usage*',
  ].map((file) => `src/features/${file}.test.ts`),
]

/** Chosen files that have a database; the others would only repeat what they say on every server. */
function testsOnExternalServer(): string[] {
  return globSync(onExternalServer, { cwd: inServer('') }).filter(
    (file) => !file.includes('.property.') && readFileSync(inServer(file), 'utf8').includes('/test-database.ts'),
  )
}

/**
 * Test files of the server share the modules of their worker: half of the time of a file went into starting a process and
 * reading them, 353 s of processor time for all of them instead of 218. What a file leaves behind in a module another one
 * meets: fake timers and spies are taken back by the file that made them.
 */
const ofServer = {
  root: './packages/server',
  isolate: false,
  setupFiles: [inServer('src/testing/drop-test-databases.ts')],
  provide: {
    isSecondServer: false,
    natsServer: findInstalledProgram('nats-server'),
    pgbouncer: findInstalledProgram('pgbouncer'),
  },
}

export default defineConfig({
  test: {
    // By itself vitest keeps a core free: on two cores it runs one file at a time, and half of that time is waiting for
    // clocks, mails and the database. One more than there are cores took 133 s where as many took 145. More than four
    // would come near the 60 connections of the embedded server.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    // These end what hangs: databases and programs are real, and a machine that is busy besides must not fail the tests.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      plain('contract', './packages/contract'),
      plain('client', './packages/client'),
      plain('samples', './packages/samples'),
      {
        extends: true,
        test: {
          ...ofServer,
          name: 'server',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.external.test.ts'],
          globalSetup: [inServer('src/testing/test-cluster.ts')],
        },
      },
      // The same on an external PostgreSQL, where the machine has one.
      ...(installedPostgres
        ? [
            {
              extends: true as const,
              test: {
                ...ofServer,
                name: 'server-external',
                include: testsOnExternalServer(),
                globalSetup: [inServer('src/testing/postgres/external-postgres.ts')],
                provide: { ...ofServer.provide, isSecondServer: true, installedPostgres },
              },
            },
          ]
        : []),
      plain('gateway', './packages/gateway'),
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          root: './packages/web',
          include: ['**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // Files share a window and the packages of node_modules, of which fresh-page.ts cleans up: reading React and
          // Mantine for each file took as long as the tests.
          isolate: false,
          setupFiles: [
            inRepository('packages/web/src/testing/fresh-page.ts'),
            inRepository('packages/web/src/testing/broadcast-channel.ts'),
            inRepository('packages/web/src/testing/pending-imports.ts'),
            inRepository('packages/web/src/testing/patience.ts'),
          ],
        },
      },
      plain('scripts', './scripts'),
    ],
  },
})
